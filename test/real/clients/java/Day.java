import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A day of a legacy program in Java, with nothing but the JDK: java Day.java LEGACY_BASE_URL
 * It prints a line for each step, and ends with exit code 1 at the first answer that legacy does not promise.
 */
public class Day {
    /** Prefers HTTP/2, as it does unless told otherwise: on every new connection it asks to upgrade. */
    static final HttpClient client = HttpClient.newHttpClient();

    static String base;
    static String token = "";

    public static void main(String[] arguments) {
        try {
            if (arguments.length != 1) throw new AssertionError("usage: java Day.java LEGACY_BASE_URL");
            base = arguments[0].replaceAll("/$", "");
            logIn();
            ship();
            useAnImport();
            readInvoices();
            readCharges();
            readLists();
            beRefused();
            transfer();
        } catch (Exception | AssertionError thrown) {
            System.err.println("not as promised, after the steps that are printed: " + thrown);
            System.exit(1);
        }
    }

    static final String PACKAGE = "/api/consignment/package/advance";
    static final String IMPORT = "/api/single/point/import";
    static final String INVOICES = "/api/invoice/list";
    static final String CREDENTIALS = "{'clientId':'demo-client','secretKey':'demo-secret'}";

    static void logIn() throws Exception {
        token = text(read(post("/auth/application", CREDENTIALS)), "token");
        must(!token.isEmpty(), "a login answers a token");
        step("login", "a token");
    }

    static final String ROWS = """
        {'id':'a','length':30,'size':20,'height':10,'weight':2.5,'piece':2},
        {'id':'b','length':200,'size':20,'height':10,'weight':40,'piece':1}""";
    static final String RECIPIENT = """
        {'countryId':57,'firstName':'Deneme','lastName':'Al\\u0131c\\u0131','email':'alici@ornek.example',
        'phone':'+4900000000','zipCode':'50667','state':'NRW','city':'K\u00f6ln','address1':'Musterweg 1'}""";
    static final String PRODUCT = """
        {'hsCode':'610910','description':'Ti\u015f\u00f6rt','piece':3,'unitPrice':12.50,
        'unitOfMeasure':{'code':'C62','name':'Adet'},'originCountryCode':'TR'}""";
    static final String ORDER = """
        {'recipientAddress':%s,'packages':[%s],'description':'Tekstil','carrierId':1,'currencyId':146,
        'exportCodeId':1,'products':[%s,%s],'referenceNumbers':['PO-1']}"""
        .formatted(RECIPIENT, ROWS, PRODUCT, PRODUCT.replace("C62", "KGM"));

    static void ship() throws Exception {
        acknowledged(post("/api/calculate/price/country/validate", "{'countryId':57,'zipCode':'50667'}"));
        step("destination", "204");

        var small = "{'id':'c','length':10,'size':10,'height':10,'weight':0.5,'piece':1}";
        var wanted = "{'countryId':57,'city':null,'packages':[" + ROWS + "," + small + "]}";
        var quotes = new ArrayList<>(list(read(post("/api/calculate/price", wanted)), ""));
        String fees = "";
        for (var quote : quotes) {
            must(texts(quote, "packages", "id").equals("a b c"), "packages come back under their own ids");
            must(texts(quote, "packages", "piece").equals("2 1 1"), "packages come back with their pieces");
            var sum = BigDecimal.ZERO;
            for (var part : List.of("freightPrice", "fuelSurcharges", "peakPrice", "remoteAreaPrice")) {
                sum = sum.add(number(quote, part));
            }
            var own = new ArrayList<Object>();
            for (var row : list(quote, "packages")) own.addAll(list(row, "additionalFees"));
            for (var fee : own) sum = sum.add(number(fee, "value"));
            must(sum.compareTo(number(quote, "totalPrice")) == 0, "a quote adds up");
            fees = texts(own, "", "type");
        }
        quotes.sort(Comparator.comparing(quote -> number(quote, "totalPrice")));
        var cheapest = quotes.get(0);
        step("price", quotes.size() + " quotes",
            text(cheapest, "carrier.slug") + " for " + number(cheapest, "totalPrice"), "fees " + fees);

        var shipment = read(post(PACKAGE, ORDER));
        must(text(shipment, "recipientAddress.city").equals("K\u00f6ln"), "an address comes back letter by letter");
        must(text(shipment, "products.1.description").equals("Ti\u015f\u00f6rt"), "and so does a product");
        must(text(shipment, "recipientAddress.country.flagW20").contains("de.png"), "a country has a flag");
        must(at(shipment, "recipientAddress.country.taxType") instanceof String, "a country has a tax type");
        if (at(shipment, "currency.updatedAt") != null) time(shipment, "currency.updatedAt");
        step("package", "shipment " + text(shipment, "id") + " " + text(shipment, "trackingNumber"),
            list(shipment, "packages").size() + " packages",
            "units " + texts(shipment, "products", "unitOfMeasure.code"), "created " + time(shipment, "createdAt"),
            "in " + text(shipment, "currency.code"));

        var document = read(post("/api/consignment/document",
            "{'recipientAddress':" + RECIPIENT + ",'referenceNumbers':['PO-2'],'isRecipientCompany':false}"));
        must(text(document, "type.slug").equals("DOCUMENT"), "a document is a document");
        must(((Map<?, ?>) document).containsKey("freightPrice"), "a document has a freightPrice, if only null");
        step("document", "shipment " + text(document, "id") + " " + text(document, "trackingNumber"),
            list(document, "packages").size() + " package",
            text(document, "carrier.slug") + " to " + text(document, "recipientAddress.country.name"),
            "created " + time(document, "createdAt"));
    }

    static void useAnImport() throws Exception {
        var created = read(post(IMPORT, "{'name':'Java','shipmentId':'GCCN-1'}"));
        must(text(created, "name").equals("Java"), "an import has the name that was sent");
        must(text(created, "shipmentId").equals("GCCN-1"), "an import has the number that was sent");
        var id = text(created, "id");
        step("import", "import " + id);

        var order = ORDER.replaceFirst("\\{", "{'singlePointImportId':" + id + ",");
        var shipment = read(post(PACKAGE, order));
        must(text(shipment, "singlePointImport.shipmentId").equals("GCCN-1"), "a shipment names its import");
        step("import used", "shipment " + text(shipment, "id") + " of import " + text(shipment, "singlePointImport.id"));

        acknowledged(post(IMPORT + "/complete", "{'id':" + id + "}"));
        step("import completed", "204");

        refusal(406, post(IMPORT + "/complete", "{'id':" + id + "}"));
        refusedInBothLanguages(406, post(PACKAGE, order));
        step("import refused", "406");
    }

    static List<Object> invoices;

    static void readInvoices() throws Exception {
        var every = everyPage(INVOICES, "'perPage':50");
        invoices = every.rows;
        var newest = invoices.get(0);
        step("invoices", every.counted, sum(invoices, "priceTry") + " TRY",
            "the newest " + text(newest, "number") + " in " + text(newest, "currency.code"),
            "of " + time(newest, "dateAt"), "due " + time(newest, "paymentExpirationAt"));

        var paid = everyPage(INVOICES, "'isPayment':true,'perPage':100").rows;
        var unpaid = everyPage(INVOICES, "'isPayment':false,'perPage':100").rows;
        for (var invoice : paid) must(text(invoice, "isPaid").equals("true"), "isPayment finds paid invoices only");
        must(paid.size() + unpaid.size() == invoices.size(), "every invoice is paid or unpaid");
        step("invoices by payment", paid.size() + " paid", unpaid.size() + " unpaid");

        var none = everyPage(INVOICES, "'statusId':4");
        must(none.rows.isEmpty(), "no invoice has status 4");
        step("invoices of status 4", none.counted);

        var dates = "'dateAtBetween':{'startAt':'2025-03-01','endAt':'2025-05-31T10:00:00+00:00'}";
        var spring = everyPage(INVOICES, dates).rows;
        for (var invoice : spring) {
            must(text(invoice, "dateAt").matches("2025-0[345]-.*"), "all are of spring");
            time(invoice, "dateAt");
        }
        step("invoices by date", spring.size() + " of spring 2025");

        var large = everyPage(INVOICES, "'perPage':300");
        must(large.rows.equals(invoices), "larger pages hold the same invoices");
        step("invoices on large pages", large.counted);
    }

    static void readCharges() throws Exception {
        var charges = everyPage("/api/transaction/charge/list", "'perPage':20");
        must(texts(charges.rows, "", "billingStatus.slug").contains("READY"), "a charge is ready");
        var newest = charges.rows.get(0);
        step("charges", charges.counted, "sum " + sum(charges.rows, "amount"),
            "the newest " + text(newest, "transaction.trackingNumber"), "of " + time(newest, "createdAt"));
    }

    /** All lists at the same time, as programs ask for them when they start; each connection asks to upgrade. */
    static void readLists() throws Exception {
        var lists = List.of(
            new Asked("countries", "flagW40", "/country/all?sortBy=code&sortOrder=ASC"),
            new Asked("cities", "countryCode", "/city/all?countryCode=TR"),
            new Asked("counties", "cityId", "/county/all?cityId=34&sortBy="),
            new Asked("currencies", "rate.sellingRateTry", "/api/currency?sortBy=sellingRateTry&sortOrder=desc"),
            new Asked("units", "code", "/api/unit/of/measure/all"),
            new Asked("export codes", "name", "/api/export/code"));
        for (var list : lists) {
            var rows = list(json(list.answer.get(), 200), "");
            for (var row : rows) must(at(row, list.member) != null, "all " + list.name + " are whole");
            step(list.name, rows.size() + " rows", "the first " + text(rows.get(0), "id"),
                "the last " + text(rows.get(rows.size() - 1), "id"));
            if (list.name.equals("currencies")) time(rows.get(0), "updatedAt");
        }
        step("languages", text(read(get("/country/all?code=DE")), "0.name"),
            text(read(get("/country/all?code=DE").header("Accept-Language", "en-US,en;q=0.5")), "0.name"));
    }

    /** A list that was asked for, and a member that all its rows have. */
    record Asked(String name, String member, CompletableFuture<HttpResponse<String>> answer) {
        Asked(String name, String member, String path) {
            this(name, member, client.sendAsync(get(path).build(), BodyHandlers.ofString()));
        }
    }

    static void beRefused() throws Exception {
        var wrong = ORDER.replace("KGM", "NONE").replace("K\u00f6ln", "");
        step("violations", violations(post(PACKAGE, wrong)),
            violations(post(INVOICES, "{'dateAtBetween':{'startAt':'31.12.2025'}}")),
            violations(post(IMPORT, "{'name':'Java','shipmentId':'GCCN-2'}")),
            violations(post("/auth/application", "{'clientId':'demo-client'}")));

        refusedInBothLanguages(406, post(PACKAGE, ORDER.replace("'carrierId':1", "'carrierId':99")));
        step("business error", "406");

        refusedInBothLanguages(401, post("/auth/application", CREDENTIALS.replace("demo-secret", "wrong")));
        step("wrong credentials", "401");

        var unknown = get("/api/currency").setHeader("Authorization", "Bearer nobody");
        step("unknown token", "401", refusal(401, unknown).headers().firstValue("WWW-Authenticate").orElse(""));

        refusal(404, get("/api/no/such/thing"));
        step("unknown path", "404");

        step("wrong method", "405", refusal(405, get(INVOICES)).headers().firstValue("Allow").orElse(""));

        refusal(400, post(INVOICES, "{'page': 1,"));
        step("malformed body", "400");
    }

    /** Ways in which requests and answers travel. */
    static void transfer() throws Exception {
        // Some 80 KB, for which the program waits to hear that it may send them.
        var many = ORDER.replace(PRODUCT, String.join(",", Collections.nCopies(399, PRODUCT)));
        var shipment = read(post(PACKAGE, many).expectContinue(true));
        step("large order", list(shipment, "products").size() + " products");

        // The program does not know the length of this body: it is chunked.
        var filters = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream("{\"perPage\":3}".getBytes(UTF_8)));
        var rows = list(read(request(INVOICES).POST(filters)), "data");
        step("chunked body", rows.size() + " rows");

        var freshly = HttpClient.newHttpClient().send(post(INVOICES, "{'perPage':2}").build(), BodyHandlers.ofString());
        step("upgrade of a POST", list(json(freshly, 200), "data").size() + " rows", freshly.version().name());

        // What programs did before Java 11.
        var connection = (HttpURLConnection) URI.create(base + INVOICES).toURL().openConnection();
        connection.setRequestProperty("Authorization", "Bearer " + token);
        connection.setDoOutput(true);
        connection.getOutputStream().write("{\"perPage\":300}".getBytes(UTF_8));
        var found = new Json(new String(connection.getInputStream().readAllBytes(), UTF_8)).read();
        var first = invoices.subList(0, Math.min(300, invoices.size()));
        must(list(found, "data").equals(first), "HttpURLConnection reads the same invoices");
        step("HttpURLConnection", list(found, "data").size() + " rows");
    }

    // Calls

    static HttpRequest.Builder request(String path) {
        var request = HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofSeconds(30));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    static HttpRequest.Builder get(String path) {
        return request(path).GET();
    }

    /** The JSON is written with single quotes here. */
    static HttpRequest.Builder post(String path, String json) {
        var body = BodyPublishers.ofString(json.replace('\'', '"'));
        return request(path).header("Content-Type", "application/json").POST(body);
    }

    static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    static Object read(HttpRequest.Builder request) throws Exception {
        return json(send(request), 200);
    }

    static Object json(HttpResponse<String> answer, int status) {
        must(answer.statusCode() == status, answer.statusCode() + " instead of " + status + ": " + answer.body());
        var type = answer.headers().firstValue("Content-Type").orElse("");
        must(type.startsWith("application/json"), "JSON is said to be '" + type + "'");
        return new Json(answer.body()).read();
    }

    static void acknowledged(HttpRequest.Builder request) throws Exception {
        var answer = send(request);
        var found = answer.statusCode() + answer.body();
        must(found.equals("204"), found + " instead of a 204 without a body");
    }

    static HttpResponse<String> refusal(int status, HttpRequest.Builder request) throws Exception {
        var answer = send(request);
        var error = json(answer, status);
        must(!text(error, "message").isBlank(), "an error has a message");
        var names = ((Map<?, ?>) error).containsKey("violations");
        must(names == (status == 400), "a 400 names the fields, and no other error does");
        return answer;
    }

    static void refusedInBothLanguages(int status, HttpRequest.Builder request) throws Exception {
        var turkish = refusal(status, request.copy().header("Accept-Language", "tr-TR,tr;q=0.9"));
        var english = refusal(status, request.copy().header("Accept-Language", "en-GB,en;q=0.9"));
        must(!turkish.body().equals(english.body()), "a message follows the language");
    }

    /** The legacy paths of what is wrong, in alphabetical order. */
    static String violations(HttpRequest.Builder request) throws Exception {
        var violations = list(json(refusal(400, request), 400), "violations");
        for (var violation : violations) must(!text(violation, "message").isBlank(), "a violation says what is wrong");
        return violations.stream().map(violation -> text(violation, "propertyPath")).sorted().collect(joining(" "));
    }

    record Rows(List<Object> rows, String counted) {}

    static Rows everyPage(String path, String filters) throws Exception {
        var rows = new ArrayList<Object>();
        for (int page = 1; ; page++) {
            var answer = read(post(path, "{'page':" + page + "," + filters + "}"));
            must(text(answer, "pagination.page").equals(page + ""), "page " + page + " says which it is");
            rows.addAll(list(answer, "data"));
            if (page < number(answer, "pagination.lastPage").intValue()) continue;
            must(text(answer, "pagination.count").equals(rows.size() + ""), "as many rows come as are counted");
            var ids = new HashSet<>(rows.stream().map(row -> text(row, "id")).toList());
            must(ids.size() == rows.size(), "no row comes twice");
            return new Rows(rows, rows.size() + " on " + text(answer, "pagination.lastPage") + " pages");
        }
    }

    // Facts

    static void step(String name, String... facts) {
        System.out.println(name + ": " + String.join(", ", facts));
    }

    static void must(boolean holds, String sentence) {
        if (!holds) throw new AssertionError(sentence);
    }

    /** What a path of names and indices leads to: the value itself when it is empty, null when it leads nowhere. */
    static Object at(Object json, String path) {
        if (path.isEmpty()) return json;
        for (var name : path.split("\\.")) {
            if (json instanceof List<?> list) json = list.get(Integer.parseInt(name));
            else json = json instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return json;
    }

    static String text(Object json, String path) {
        var value = at(json, path);
        must(value != null, "nothing at " + path);
        return value.toString();
    }

    static BigDecimal number(Object json, String path) {
        must(at(json, path) instanceof BigDecimal, "no number at " + path);
        return (BigDecimal) at(json, path);
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object json, String path) {
        must(at(json, path) instanceof List, "no array at " + path);
        return (List<Object>) at(json, path);
    }

    static String texts(Object json, String path, String member) {
        return list(json, path).stream().map(each -> text(each, member)).collect(joining(" "));
    }

    static BigDecimal sum(List<Object> rows, String member) {
        return rows.stream().map(row -> number(row, member)).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** Seconds since 1970 of a legacy timestamp, which has an offset of +00:00 and no milliseconds. */
    static long time(Object json, String path) {
        var format = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx");
        return OffsetDateTime.parse(text(json, path), format).toEpochSecond();
    }

    /** The JSON that this program meets, which the JDK cannot read: maps, lists, texts, decimals, booleans and null. */
    static class Json {
        final String text;
        int at = 0;

        Json(String text) {
            this.text = text;
        }

        Object read() {
            var value = value();
            must(at == text.length(), "JSON ends where its value ends");
            return value;
        }

        Object value() {
            switch (peek()) {
                case '{': {
                    var map = new LinkedHashMap<String, Object>();
                    for (take('{'); peek() != '}'; comma('}')) {
                        var name = string();
                        take(':');
                        map.put(name, value());
                    }
                    take('}');
                    return map;
                }
                case '[': {
                    var list = new ArrayList<Object>();
                    for (take('['); peek() != ']'; comma(']')) list.add(value());
                    take(']');
                    return list;
                }
                case '"':
                    return string();
                default:
                    int start = at;
                    while (at < text.length() && ",]} \n".indexOf(text.charAt(at)) < 0) at++;
                    var word = text.substring(start, at);
                    if (word.equals("null")) return null;
                    return word.matches("true|false") ? (Object) Boolean.valueOf(word) : new BigDecimal(word);
            }
        }

        String string() {
            take('"');
            int start = at;
            while (text.charAt(at) != '"') at += text.charAt(at) == '\\' ? 2 : 1;
            return text.substring(start, at++).translateEscapes();
        }

        char peek() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        void take(char expected) {
            must(peek() == expected, "JSON has a " + expected + " at " + at);
            at++;
        }

        void comma(char end) {
            if (peek() != end) take(',');
        }
    }
}
