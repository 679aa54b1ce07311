import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles and runs snippets, each by itself, in one virtual machine: java RunSnippets.java [NAME=VALUE... FILE]... */
class RunSnippets {
  public static void main(String[] words) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    for (String word : words) {
      if (word.matches("(?s)[A-Z0-9_]+=.*")) {
        setVariable(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
        continue;
      }
      Path classes = Files.createDirectory(Path.of(word + ".classes"));
      int problems = compiler.run(null, null, null, "-encoding", "UTF-8", "-d", classes.toString(), word);
      if (problems != 0) System.exit(problems);
      try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
        var main = loader.loadClass("CallV1").getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        main.invoke(null, (Object) new String[0]);
      }
    }
  }

  /** Sets a variable of the environment, which Java alone cannot. */
  @SuppressWarnings("unchecked")
  private static void setVariable(String name, String value) throws Exception {
    Map<String, String> environment = System.getenv();
    var writable = environment.getClass().getDeclaredField("m");
    writable.setAccessible(true);
    ((Map<String, String>) writable.get(environment)).put(name, value);
  }
}
