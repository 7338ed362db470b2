package keelscope.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "verify")
final class VerifyCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new UnsupportedOperationException();
    }
}
