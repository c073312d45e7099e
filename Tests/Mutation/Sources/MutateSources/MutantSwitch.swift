/// The run-time switch: a C module, which the mutated modules share. It also notes which mutants a run reaches.
enum MutantSwitch {
    static let module = "MutantSwitch"

    /// Its files, below the copy. `MUTANT` is the number of the mutant that is on; `MUTANTS_REACHED` the beginning of a
    /// file's name, whose end is the process.
    static func files(mutants count: Int) -> [String: String] {
        let header = """
            #include <stdbool.h>
            extern unsigned char mutants_reached[];
            extern long mutant_active;
            static inline bool mutant(long number) {
                if (!mutants_reached[number]) { mutants_reached[number] = 1; }
                return number == mutant_active;
            }

            """
        let source = """
            #include "MutantSwitch.h"
            #include <stdio.h>
            #include <stdlib.h>
            #include <unistd.h>

            unsigned char mutants_reached[\(count + 1)];
            long mutant_active;

            static void write_reached(void) {
                char path[4096];
                snprintf(path, sizeof path, "%s.%d", getenv("MUTANTS_REACHED"), (int)getpid());
                FILE *file = fopen(path, "w");
                if (!file) { return; }
                fwrite(mutants_reached, 1, sizeof mutants_reached, file);
                fclose(file);
            }

            __attribute__((constructor)) static void begin(void) {
                const char *active = getenv("MUTANT");
                if (active) { mutant_active = atol(active); }
                if (getenv("MUTANTS_REACHED")) { atexit(write_reached); }
            }

            """
        return ["Sources/\(module)/include/\(module).h": header, "Sources/\(module)/\(module).c": source]
    }
}
