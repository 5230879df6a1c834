#include "client/load.h"

const char *confirmation_name(enum confirmation confirmation)
{
    switch (confirmation) {
    case CONFIRM_SERVER:
        return "server";
    case CONFIRM_FINISHED:
        return "finished";
    case CONFIRM_RESPONSE:
        return "response";
    case CONFIRM_CLOSE:
        return "close";
    }
    return "?";
}

const char *close_policy_name(enum close_policy policy)
{
    switch (policy) {
    case CLOSE_SERVER:
        return "server";
    case CLOSE_FIN:
        return "fin";
    case CLOSE_RST:
        return "rst";
    }
    return "?";
}
