import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
        /** Where it is controlled, with the option {@code --admin}; null without. */
        public final String control;
        private final Path folder;
        private final Path output;
        private final Process process;
        private boolean isFinished;

        private Served(String script, String[] options) throws IOException, InterruptedException {
            folder = Files.createTempDirectory("understudy");
            output = folder.resolve("output");
            if (script.contains("\n") || script.contains(": ")) script = Files.writeString(folder.resolve("script.yaml"), script).toString();
            String command = System.getenv().getOrDefault("UNDERSTUDY", "understudy");
            List<String> words = new ArrayList<>(List.of(command, "serve", script));
            words.addAll(List.of(options));
            process = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile()).start();
            url = hear("listening on ", "(?!control\")[^\"]*");
            control = words.stream().anyMatch(word -> word.matches("--admin(=.*)?")) ? hear("control on ", "control") : null;
        }

        /** Waits for a URL, in words or as a line of {@code --log json}. */
        private String hear(String beginning, String host) throws IOException, InterruptedException {
            Pattern line = Pattern.compile(
                "^(?:" + beginning + "|\\{\"type\":\"listening\",\"host\":\"" + host + "\",\"url\":\")([^\"\\s]+)[\"\\s]",
                Pattern.MULTILINE);
            while (true) {
                boolean isAlive = process.isAlive();
                Matcher found = line.matcher(Files.readString(output));
                if (found.find()) return found.group(1);
                if (!isAlive) throw new IOException(Files.readString(output));
                TimeUnit.MILLISECONDS.sleep(2);
            }
        }

        /** Ends it, once; throws what it says if something was not as the script has it. */
        public void finish() throws IOException, InterruptedException {
            if (isFinished) return;
            isFinished = true;
            process.destroy();
            int status = process.waitFor();
            String said = Files.readString(output);
            try (var files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
            }
            // The verdict first.
            int verdict = Math.max(Math.max(said.lastIndexOf("NOT fulfilled"), said.lastIndexOf("ABANDONED")), 0);
            verdict = said.lastIndexOf('\n', verdict) + 1;
            if (status != 0) throw new AssertionError(said.substring(verdict) + said.substring(0, verdict));
        }
    }

    /** @param script its text, or the path of its file; {@code options} are those of {@code understudy serve}. */
    public Served serve(String script, String... options) throws IOException, InterruptedException {
        Served served = new Served(script, options);
        all.add(served);
        return served;
    }

    /** Judges all of them, also those that have ended by themselves. */
    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        AssertionError failure = null;
        for (Served served : all) {
            try {
                served.finish();
            } catch (AssertionError error) {
                if (failure == null) failure = error; else failure.addSuppressed(error);
            } finally {
                served.process.destroyForcibly();
            }
        }
        all.clear();
        if (failure != null) throw failure;
    }
}
