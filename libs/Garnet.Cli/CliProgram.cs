// A run of `garnet cli`, from arguments to exit code. One thread.
using System.Reflection;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Interactive;
using Garnet.Cli.Modes;
using Garnet.Cli.Options;
using Garnet.Cli.Output;

namespace Garnet.Cli;

/// <summary>Reads the options and runs the mode that they name.</summary>
/// <param name="host">Streams and variables.</param>
internal sealed class CliProgram(CliHost host)
{
    /// <summary>Runs it.</summary>
    /// <param name="args">What follows <c>garnet cli</c>.</param>
    /// <returns>The exit code.</returns>
    public int Run(string[] args)
    {
        using WindowsScreen? screen = OperatingSystem.IsWindows() ? new WindowsScreen(new WindowsConsole()) : null;
        try
        {
            var reader = new CliOptionReader(args);
            CliOptions options = reader.Read(host.OutputIsTerminal, host.Variable);
            if (reader.ShowsPassword)
                Report("Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.");
            return Run(options);
        }
        catch (CliException e)
        {
            return End(e);
        }
    }

    private int Run(CliOptions options)
    {
        if (options.Mode == CliMode.Help)
            return Print(CliHelp.Text);
        if (options.Mode == CliMode.Version)
            return Print($"garnet cli {Version}\n");
        if (options.AsksPassword)
            options.Connection.Password = PasswordPrompt.Read(host, host.InputIsTerminal ? OpenTerminal() : null);
        var printer = new ReplyPrinter(options.Output, host.Output);
        using var session = new CliSession(options, printer, Report);
        try
        {
            return RunMode(options, session, printer);
        }
        catch (ConnectionLostException e)
        {
            throw new CliException($"Error: {e.Message}");
        }
    }

    private int RunMode(CliOptions options, CliSession session, ReplyPrinter printer)
    {
        switch (options.Mode)
        {
            case CliMode.Eval:
                return EvalMode.Run(options, session);
            case CliMode.Pipe:
                return new PipeMode(options, host, session.Require()).Run();
            case CliMode.Scan:
                return ScanMode.Run(options, host, session.Require());
            case CliMode.BigKeys or CliMode.MemoryKeys:
                return new BigKeysMode(options, host, session.Require()).Run();
            case CliMode.HotKeys:
                return HotKeysMode.Run(options, host, session.Require());
            case CliMode.Latency:
                return new LatencyMode(options, host, session).Run();
            case CliMode.LatencySpectrum:
                return LatencySpectrumMode.Run(options, host, session);
            case CliMode.Statistics:
                return StatisticsMode.Run(options, host, session);
            case CliMode.Snapshot:
                return SnapshotMode.Run(options, host, session.Require(), Report);
            case CliMode.Replica:
                return ReplicaMode.Run(options, host, session.Require(), Report);
            default:
                return RunCommands(options, session, printer);
        }
    }

    private int RunCommands(CliOptions options, CliSession session, ReplyPrinter printer)
    {
        if (options.Command.Length > 0)
            return CommandLineMode.Run(options, host, session);
        if (host.InputIsTerminal && host.OutputIsTerminal && OpenTerminal() is { } terminal)
            return new InteractiveMode(options, host, session, printer, terminal).Run();
        using Stream input = host.OpenInput();
        return new ScriptMode(options, session, printer).Run(input);
    }

    private ITerminal? OpenTerminal() =>
        OperatingSystem.IsWindows()
            ? new WindowsTerminal(new WindowsConsole(), host.Output, host.Variable)
            : UnixTerminal.TryOpen(host.Output);

    private static string Version
    {
        get
        {
            string full =
                typeof(CliProgram).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "";
            return full.Split('+')[0];
        }
    }

    private int Print(string text)
    {
        host.Output.Write(Encoding.UTF8.GetBytes(text));
        return 0;
    }

    private void Report(string message)
    {
        var text = new ByteText(host.ErrorIsTerminal);
        text.AppendValue(Encoding.UTF8.GetBytes(message));
        text.Append("\n"u8);
        host.Error.Write(text.Written);
    }

    // Where standard error is gone, too, there is no other place for the message; the exit code still tells.
    private int End(CliException end)
    {
        try
        {
            if (end.Message.Length > 0)
                Report(end.Message);
            return end.ExitCode;
        }
        catch (CliException)
        {
            return end.ExitCode;
        }
    }
}
