// Commands from standard input, one a line. One thread, then the process ends.
using Garnet.Cli.Connection;
using Garnet.Cli.Options;
using Garnet.Cli.Output;

namespace Garnet.Cli.Modes;

/// <summary>Runs lines until the end of the input, QUIT or EXIT. A number before a command repeats it.</summary>
/// <param name="options">What the command line says.</param>
/// <param name="session">Runs the commands.</param>
/// <param name="printer">Takes messages about lines.</param>
internal sealed class ScriptMode(CliOptions options, CliSession session, ReplyPrinter printer)
{
    private bool _isConnected = true;

    /// <summary>Runs all lines.</summary>
    /// <returns>The exit code: 1 if the server could not be reached, or with -e after the first error.</returns>
    public int Run(Stream input)
    {
        session.IsInteractive = true;
        session.Connect();
        foreach (byte[] line in Lines(input))
        {
            if (!Execute(line))
                break;
            if (options.Output.FailsOnError && session.LastReply is { IsError: true })
                return 1;
        }

        return _isConnected ? 0 : 1;
    }

    // False ends the session.
    private bool Execute(byte[] line)
    {
        if (LineCommand.TryParse(line, out byte[][] command, out long repeat) is { } problem)
        {
            printer.PrintLine(problem);
            return true;
        }

        if (command.Length == 0)
            return true;
        if (CommandName.Is(command[0], "quit"u8) || CommandName.Is(command[0], "exit"u8))
            return false;
        if (command.Length == 3 && CommandName.Is(command[0], "connect"u8))
            _isConnected = LineCommand.Connect(command, options, session, printer);
        else
            _isConnected = session.Run(command, repeat);
        return true;
    }

    private static IEnumerable<byte[]> Lines(Stream input)
    {
        byte[] buffer = new byte[64 * 1024];
        var line = new MemoryStream();
        for (int read = StandardInput.Read(input, buffer); read > 0; read = StandardInput.Read(input, buffer))
        {
            int start = 0;
            for (
                int end = Array.IndexOf(buffer, (byte)'\n', 0, read);
                end >= 0;
                end = Array.IndexOf(buffer, (byte)'\n', start, read - start)
            )
            {
                line.Write(buffer, start, end - start);
                yield return line.ToArray();
                line.SetLength(0);
                start = end + 1;
            }

            line.Write(buffer, start, read - start);
        }

        if (line.Length > 0)
            yield return line.ToArray();
    }
}
