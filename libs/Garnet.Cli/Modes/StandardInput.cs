// Arguments from standard input. One thread.
using Garnet.Cli.Options;

namespace Garnet.Cli.Modes;

/// <summary>Reads standard input.</summary>
internal static class StandardInput
{
    private const int BufferBytes = 64 * 1024;

    /// <summary>Reads what there is of it; 0 at its end.</summary>
    /// <exception cref="CliException">It cannot be read: it is a folder, say.</exception>
    public static int Read(Stream input, byte[] buffer)
    {
        try
        {
            return input.Read(buffer, 0, buffer.Length);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CliException($"Error reading the input: {e.Message}");
        }
    }

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
        byte[] buffer = new byte[BufferBytes];
        for (int read = Read(input, buffer); read > 0; read = Read(input, buffer))
            bytes.Write(buffer, 0, read);
        return bytes.ToArray();
    }
}
