import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles and runs snippets, each by itself, in one virtual machine: java RunSnippets.java FILE... */
class RunSnippets {
  public static void main(String[] files) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    for (String file : files) {
      Path classes = Files.createDirectory(Path.of(file + ".classes"));
      int problems = compiler.run(null, null, null, "-encoding", "UTF-8", "-d", classes.toString(), file);
      if (problems != 0) System.exit(problems);
      try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
        var main = loader.loadClass("CallV1").getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        main.invoke(null, (Object) new String[0]);
      }
    }
  }
}
