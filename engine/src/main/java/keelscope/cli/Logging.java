package keelscope.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;
import org.slf4j.Logger;

/**
 * The log, on standard error, for what users should look into; what they read is printed by the commands. Logback finds this class as a
 * service. It is no XML file, since reading one takes an engine a tenth of a second before its first step.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class Logging extends ContextAwareBase implements Configurator {

    /** DJL warns of every CUDA it does not find; which device is used and why is said in the run file and by {@code doctor}. */
    private static final List<String> ERRORS_ONLY =
            List.of("ai.djl.util.cuda", "ai.djl.util.Platform", "ai.djl.pytorch.jni.LibUtils");

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        PatternLayoutEncoder line = new PatternLayoutEncoder();
        line.setContext(context);
        line.setPattern("%d{HH:mm:ss} %-5level %logger{0}: %msg%n");
        line.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setTarget(ConsoleTarget.SystemErr.getName());
        console.setEncoder(line);
        console.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(console);
        ERRORS_ONLY.forEach(name -> context.getLogger(name).setLevel(Level.ERROR));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
