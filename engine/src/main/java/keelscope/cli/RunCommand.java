package keelscope.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "run")
final class RunCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new UnsupportedOperationException();
    }
}
