import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client that asks again when its server is busy, and one that gives up too early. */
class RetryTest {
    @RegisterExtension UnderstudyServer understudy = new UnderstudyServer();

    /** Busy twice, then well: a client that asks once is not what the script wants. */
    private static final String FLAKY = """
        server:
          - {request: GET /order, reply: {status: 503, headers: {Retry-After: "0"}}, times: 2}
          - {request: GET /order, reply: {body: ready}}
        """;

    private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String fetch(String url, int attempts) throws IOException, InterruptedException {
        for (int attempt = 0; attempt < attempts; attempt++) {
            HttpResponse<String> response = get(url);
            if (response.statusCode() == 200) return response.body();
            TimeUnit.SECONDS.sleep(response.headers().firstValueAsLong("Retry-After").orElse(0));
        }
        return null;
    }

    @Test
    void aBusyServerIsAskedAgain() throws Exception {
        var server = understudy.serve(FLAKY);
        assertEquals("ready", fetch(server.url + "/order", 5));
    }

    @Test
    void givingUpTooEarlyFails() throws Exception {
        var server = understudy.serve(FLAKY);
        fetch(server.url + "/order", 1);
        AssertionError error = assertThrows(AssertionError.class, server::finish);
        assertTrue(error.getMessage().contains("NOT fulfilled"), error.getMessage());
    }

    @Test
    void aBodyThatEndsEarlyIsNoticed() throws Exception {
        var server = understudy.serve("""
            bodies: {film: {pattern: counter, size: 1MB}}
            server:
              - {request: GET /film, reply: {body: film}, fault: {at: body+400000, do: fin}}
            """);
        assertThrows(IOException.class, () -> get(server.url + "/film"));
    }
}
