import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Serves scripts of Understudy in a test of JUnit 5, and fails the test if its code did something else with them.
 *
 * <pre>{@code @RegisterExtension UnderstudyServer understudy = new UnderstudyServer();}</pre>
 *
 * The command {@code understudy} must be in PATH, or UNDERSTUDY must name it.
 */
public final class UnderstudyServer implements AfterEachCallback {
    private final List<Served> all = new ArrayList<>();

    /** One script, served until its test is over. */
    public static final class Served {
        public final String url;
        private final Path folder;
        private final Path output;
        private final Process process;

        private Served(String script, String[] options) throws IOException, InterruptedException {
            folder = Files.createTempDirectory("understudy");
            output = folder.resolve("output");
            if (script.contains("\n")) script = Files.writeString(folder.resolve("script.yaml"), script).toString();
            String command = System.getenv().getOrDefault("UNDERSTUDY", "understudy");
            List<String> words = new ArrayList<>(List.of(command, "serve", script));
            words.addAll(List.of(options));
            process = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile()).start();
            String found = null;
            while (found == null && process.isAlive()) {
                found = Files.readString(output).lines().filter(line -> line.startsWith("listening on "))
                    .map(line -> line.substring("listening on ".length())).findFirst().orElse(null);
                if (found == null) TimeUnit.MILLISECONDS.sleep(2);
            }
            if (found == null) throw new IOException(Files.readString(output));
            url = found;
        }

        /** Ends it; throws what it says if something was not as the script has it. */
        public void finish() throws IOException, InterruptedException {
            process.destroy();
            int status = process.waitFor();
            String said = Files.readString(output);
            try (var files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
            }
            if (status != 0) throw new AssertionError(said);
        }
    }

    /** @param script its text, or the path of its file; {@code options} are those of {@code understudy serve}. */
    public Served serve(String script, String... options) throws IOException, InterruptedException {
        Served served = new Served(script, options);
        all.add(served);
        return served;
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        try {
            for (Served served : all) if (served.process.isAlive()) served.finish();
        } finally {
            for (Served served : all) served.process.destroyForcibly();
            all.clear();
        }
    }
}
