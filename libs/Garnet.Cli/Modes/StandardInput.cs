// Arguments from standard input. One thread.
using Garnet.Cli.Options;

namespace Garnet.Cli.Modes;

/// <summary>Reads standard input to its end.</summary>
internal static class StandardInput
{
    /// <summary>The command, with the argument from standard input that -x or -X asks for.</summary>
    /// <exception cref="CliException">The argument of -X is not among the command's.</exception>
    public static byte[][] Complete(CliOptions options, CliHost host)
    {
        if (options.ReadsLastArgument)
            return [.. options.Command, ReadAll(host)];
        if (options.InputTag is null)
            return options.Command;
        byte[] tag = RawArguments.Of([options.InputTag])[0];
        int at = Array.FindIndex(options.Command, each => each.AsSpan().SequenceEqual(tag));
        if (at < 0)
            throw new CliException("Using -X option but stdin tag not match.");
        byte[][] command = [.. options.Command];
        command[at] = ReadAll(host);
        return command;
    }

    private static byte[] ReadAll(CliHost host)
    {
        using Stream input = host.OpenInput();
        var bytes = new MemoryStream();
        input.CopyTo(bytes);
        return bytes.ToArray();
    }
}
