import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;

/** Java's side of tls.sh, with the words and lines of peer.py. */
public class Peer {
    private static final char[] PASSWORD = "understudy".toCharArray();
    private static final Set<Long> beginnings = new HashSet<>();

    /** Java does not tell whether a session went on, but one that did has kept the time at which it began. */
    private static synchronized String secured(SSLSession session) throws Exception {
        boolean reused = !beginnings.add(session.getCreationTime());
        // So that the next one begins at another time.
        Thread.sleep(2);
        return session.getProtocol() + (reused ? " r" : " .");
    }

    private static Certificate[] certificates(String file) throws Exception {
        try (InputStream stream = Files.newInputStream(Path.of(file))) {
            return CertificateFactory.getInstance("X.509").generateCertificates(stream).toArray(new Certificate[0]);
        }
    }

    private static SSLContext context(String authority, String certificate, String key) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12"), own = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        own.load(null, null);
        if (authority != null) trusted.setCertificateEntry("authority", certificates(authority)[0]);
        if (!certificate.equals("-")) {
            String[] text = Files.readString(Path.of(key)).split("-----(BEGIN|END) PRIVATE KEY-----");
            byte[] bytes = Base64.getMimeDecoder().decode(text[1]);
            own.setKeyEntry("own", KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(bytes)),
                PASSWORD, certificates(certificate));
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), authority == null ? null : trust.getTrustManagers(), null);
        return context;
    }

    private static void serve(String port, String certificate, String key, String version) throws Exception {
        // Head and body are two segments; without this the second waits 40 ms for the client to acknowledge the first.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpsServer server = HttpsServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)), 64);
        server.setHttpsConfigurator(new HttpsConfigurator(context(null, certificate, key)) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters allowed = getSSLContext().getDefaultSSLParameters();
                allowed.setProtocols(new String[] {"TLSv" + version});
                parameters.setSSLParameters(allowed);
            }
        });
        server.createContext("/", Peer::answer);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    private static void answer(HttpExchange exchange) {
        try (exchange) {
            exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/close")) {
                System.out.println(secured(((HttpsExchange) exchange).getSSLSession()));
                exchange.getResponseHeaders().set("Connection", "close");
            }
            long left = path.equals("/300m") ? 300L << 20 : 100;
            exchange.sendResponseHeaders(200, left);
            byte[] piece = new byte[1 << 20];
            Arrays.fill(piece, (byte) 'a');
            while (left > 0) {
                int next = (int) Math.min(left, piece.length);
                exchange.getResponseBody().write(piece, 0, next);
                left -= next;
            }
        } catch (Exception error) {
            error.printStackTrace();
        }
    }

    private static void get(String[] words) throws Exception {
        SSLParameters allowed = new SSLParameters();
        allowed.setProtocols(new String[] {"TLSv" + words[2]});
        HttpClient client = HttpClient.newBuilder().sslContext(context(words[1], words[3], words[4]))
            .sslParameters(allowed).build();
        for (String url : Arrays.copyOfRange(words, 5, words.length)) {
            try {
                HttpResponse<byte[]> answer = client.send(
                    HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofByteArray());
                String digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(answer.body()));
                System.out.println(answer.statusCode() + " " + answer.body().length + " " + digest + " "
                    + secured(answer.sslSession().get()));
            } catch (java.io.IOException error) {
                Throwable cause = error;
                while (cause.getCause() != null) cause = cause.getCause();
                System.out.println("refused " + cause);
            }
        }
        System.exit(0);
    }

    public static void main(String[] words) throws Exception {
        if (words[0].equals("serve")) serve(words[1], words[2], words[3], words[4]);
        else get(words);
    }
}
