//   call-order FILE PROGRAM WORD...     runs a program; leaves the names of its functions in a file, in the order in
//                                       which each was called first
//
// A linker that is told that order (`--symbol-ordering-file`) puts them side by side: a start touches fewer pages then.
// Each function begins with a breakpoint, which the first call removes. Only the program's own functions are seen, and
// only on x86-64. The program must neither fork nor become another one. Exit status: that of the program; 3 if it could
// not be watched, or a signal has ended it.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static void give_up(const char *what) {
    fprintf(stderr, "call-order: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
    exit(3);
}

#if defined(__x86_64__)

struct function {
    unsigned long start;
    const char *name;
    unsigned char first;
    char was_called;
};

static struct function *functions;
static size_t function_count;
static const unsigned char breakpoint = 0xcc;
/// Where the program begins, by its file.
static unsigned long entry;

static int by_start(const void *one, const void *other) {
    unsigned long a = ((const struct function *)one)->start, b = ((const struct function *)other)->start;
    return (a > b) - (a < b);
}

/// The first of its names.
static struct function *function_at(unsigned long start) {
    struct function wanted = {.start = start};
    struct function *found = bsearch(&wanted, functions, function_count, sizeof wanted, by_start);
    while (found && found > functions && found[-1].start == start) found--;
    return found;
}

/// The functions of a program, by the symbols in its file. Some have several names: a linker may know only one.
static void read_functions(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status)) give_up(path);
    size_t size = (size_t)status.st_size;
    const char *bytes = mmap(0, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) give_up(path);
    errno = 0;
    const Elf64_Ehdr *head = (const void *)bytes;
    if (size < sizeof *head || memcmp(bytes, ELFMAG, SELFMAG) || head->e_ident[EI_CLASS] != ELFCLASS64
        || head->e_machine != EM_X86_64 || head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff > size
        || (size - head->e_shoff) / sizeof(Elf64_Shdr) < head->e_shnum)
        give_up("that is no program for this machine");
    entry = head->e_entry;
    const Elf64_Shdr *sections = (const void *)(bytes + head->e_shoff);
    for (size_t i = 0; i < head->e_shnum && !functions; i++) {
        const Elf64_Shdr *table = &sections[i];
        if (table->sh_type != SHT_SYMTAB) continue;
        if (table->sh_link >= head->e_shnum || table->sh_offset > size || table->sh_size > size - table->sh_offset)
            give_up("its symbols lie outside of the file");
        const Elf64_Shdr *names = &sections[table->sh_link];
        if (names->sh_offset > size || names->sh_size > size - names->sh_offset || !names->sh_size
            || bytes[names->sh_offset + names->sh_size - 1])
            give_up("its symbols' names lie outside of the file");
        const Elf64_Sym *symbols = (const void *)(bytes + table->sh_offset);
        size_t count = table->sh_size / sizeof *symbols;
        functions = calloc(count, sizeof *functions);
        if (!functions) give_up("calloc");
        for (size_t s = 0; s < count; s++) {
            const Elf64_Sym *symbol = &symbols[s];
            if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF || !symbol->st_size
                || symbol->st_name >= names->sh_size)
                continue;
            const char *name = bytes + names->sh_offset + symbol->st_name;
            functions[function_count++] = (struct function){.start = symbol->st_value, .name = name};
        }
    }
    if (!function_count) give_up("the program has no symbols");
    qsort(functions, function_count, sizeof *functions, by_start);
}

/// How far from where its file says the kernel has put a program that has only been started.
static unsigned long place_of(pid_t program) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/auxv", program);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) give_up(path);
    Elf64_auxv_t said = {0};
    while (read(file, &said, sizeof said) == sizeof said && said.a_type != AT_ENTRY) {}
    close(file);
    if (said.a_type != AT_ENTRY) give_up(path);
    return said.a_un.a_val - entry;
}

int main(int count, char **words) {
    if (count < 3) {
        fprintf(stderr, "usage: %s FILE PROGRAM WORD...\n", words[0]);
        return 2;
    }
    read_functions(words[2]);
    pid_t program = fork();
    if (program < 0) give_up("fork");
    if (!program) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0)) _exit(3);
        execv(words[2], words + 2);
        _exit(3);
    }
    int status;
    if (waitpid(program, &status, 0) < 0 || !WIFSTOPPED(status)) errno = 0, give_up("the program could not be watched");
    if (ptrace(PTRACE_SETOPTIONS, program, 0, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL)) give_up("ptrace");

    unsigned long place = place_of(program);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", program);
    int memory = open(path, O_RDWR | O_CLOEXEC);
    if (memory < 0) give_up(path);
    for (size_t i = 0; i < function_count; i++) {
        off_t at = (off_t)(functions[i].start + place);
        if (i && functions[i].start == functions[i - 1].start) continue;
        if (pread(memory, &functions[i].first, 1, at) != 1 || pwrite(memory, &breakpoint, 1, at) != 1) give_up(path);
    }

    FILE *order = fopen(words[1], "w");
    if (!order) give_up(words[1]);
    ptrace(PTRACE_CONT, program, 0, 0);
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0;) {
        if (!WIFSTOPPED(status)) {
            if (thread == program) break;
            continue;
        }
        int signal = WSTOPSIG(status), is_ours = signal == SIGSTOP || status >> 16;
        if (signal == SIGTRAP && !is_ours) {
            struct user_regs_struct registers;
            if (ptrace(PTRACE_GETREGS, thread, 0, &registers)) continue;
            struct function *called = function_at(registers.rip - 1 - place);
            if (called) {
                is_ours = 1;
                // Several threads may have got here at once.
                for (struct function *name = called; !called->was_called && name < functions + function_count
                     && name->start == called->start; name++)
                    fprintf(order, "%s\n", name->name);
                called->was_called = 1;
                if (pwrite(memory, &called->first, 1, (off_t)(called->start + place)) != 1) give_up(path);
                registers.rip--;
                ptrace(PTRACE_SETREGS, thread, 0, &registers);
            }
        }
        ptrace(PTRACE_CONT, thread, 0, is_ours ? 0 : signal);
    }
    if (fclose(order)) give_up(words[1]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

#else

int main(void) { give_up("this processor is not known"); }

#endif
