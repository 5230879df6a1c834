#include "client/output.h"

#include "client/report/report.h"
#include "common/base/file.h"
#include "common/base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_check(const char *path, struct error *err)
{
    struct stat status;
    if (!path)
        return true;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return error_set(err, "--output: %s is a directory", path);
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return access(path, W_OK) == 0 || error_set(err, "--output: %s: %s", path, strerror(errno));
    const char *slash = strrchr(path, '/');
    char *folder =
        !slash ? memory_copy_text(".") : memory_format("%.*s", (int)(slash - path + 1), path);
    bool ok =
        access(folder, W_OK) == 0 || error_set(err, "--output: %s: %s", folder, strerror(errno));
    free(folder);
    return ok;
}

static bool write_stdout(const char *text, size_t length, struct error *err)
{
    (void)fwrite(text, 1, length, stdout);
    return file_flush_output(err);
}

static bool write_report(const json_t *result, enum output_format format, const char *path,
                         struct error *err)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        return error_set(err, "out of memory for the report");
    if (format == FORMAT_JSON)
        report_json(memory, result);
    else
        report_table(memory, result);
    fclose(memory);
    bool ok = path ? file_write(path, text, length, 0644, FILE_REPLACE, err)
                   : write_stdout(text, length, err);
    free(text);
    return ok;
}

bool output_write(const json_t *result, enum output_format format, const char *path,
                  struct error *err)
{
    /* The file first: should the terminal be gone, the result is not; and the other way round. */
    bool ok = write_report(result, format, path, err);
    struct error ignored;
    if (path && (format == FORMAT_JSON || !ok))
        ok = write_report(result, FORMAT_TABLE, NULL, ok ? err : &ignored) && ok;
    return ok;
}
