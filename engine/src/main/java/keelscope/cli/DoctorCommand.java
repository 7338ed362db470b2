package keelscope.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "doctor")
final class DoctorCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new UnsupportedOperationException();
    }
}
