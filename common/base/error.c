#include "common/base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A text that was cut may end inside a UTF-8 character, which JSON would refuse: drops the last
 * character unless it is ASCII. */
static void drop_cut_character(char *text, size_t length)
{
    while (length > 0 && ((unsigned char)text[length - 1] & 0xC0) == 0x80) {
        length--;
    }
    if (length > 0 && (unsigned char)text[length - 1] >= 0xC0) {
        length--;
    }
    text[length] = '\0';
}

/* Reasons quote what users typed and peers sent: one line, and nothing that a terminal obeys. */
static void make_one_line(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n') {
        text[--length] = '\0';
    }
    for (char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == '\x7f') {
            *c = *c == '\n' || *c == '\t' ? ' ' : '?';
        }
    }
}

/* Takes a text that snprintf wanted to be `length` long. */
static void finish(struct error *err, char *text, int length)
{
    if (length >= (int)sizeof err->text) {
        drop_cut_character(text, sizeof err->text - 1);
    }
    make_one_line(text);
    snprintf(err->text, sizeof err->text, "%s", text[0] != '\0' ? text : "no reason given");
}

bool error_set(struct error *err, const char *format, ...)
{
    if (err == NULL) {
        return false;
    }
    char text[sizeof err->text]; /* apart: the arguments may point into err->text */
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    finish(err, text, length);
    return false;
}

bool error_prefix(struct error *err, const char *format, ...)
{
    if (err == NULL) {
        return false;
    }
    char prefix[sizeof err->text], text[sizeof err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(prefix, sizeof prefix, format, args);
    va_end(args);
    int length = snprintf(text, sizeof text, "%s: %s", prefix, err->text);
    finish(err, text, length);
    return false;
}

const char *error_of_errno(int error)
{
    switch (error) {
    case EMFILE:
    case ENFILE:
        return "no free descriptor (EMFILE)";
    case EADDRNOTAVAIL:
        return "no free port (EADDRNOTAVAIL)";
    case ENOMEM:
    case ENOBUFS:
        return "out of memory (ENOMEM)";
    default:
        return strerror(error);
    }
}
