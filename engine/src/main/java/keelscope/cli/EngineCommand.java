package keelscope.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "engine", hidden = true)
final class EngineCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new UnsupportedOperationException();
    }
}
