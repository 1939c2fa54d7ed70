// One command, given on the command line. One thread, then the process ends.
using Garnet.Cli.Connection;
using Garnet.Cli.Options;

namespace Garnet.Cli.Modes;

/// <summary>Runs the command, as often as asked, and prints its replies.</summary>
internal static class CommandLineMode
{
    /// <summary>Runs it.</summary>
    /// <returns>The exit code.</returns>
    public static int Run(CliOptions options, CliHost host, CliSession session)
    {
        byte[][] command = StandardInput.Complete(options, host);
        if (!session.Run(command, options.Repeat ?? 1))
            return 1;
        try
        {
            while (session.State.IsSubscribed)
                session.PrintMessage();
        }
        catch (ConnectionLostException e)
        {
            throw new CliException($"Error: {e.Message}");
        }

        // A command that other users may run is answered in spite of a wrong password; one that was refused for it has failed.
        bool wasRefused =
            session.HasFailedToAuthenticate
            && session.LastReply is { IsError: true } reply
            && reply.Text.StartsWith("NOAUTH", StringComparison.Ordinal);
        return wasRefused ? 1 : 0;
    }
}
