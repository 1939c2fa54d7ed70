// --eval: a script from a file. One thread, then the process ends.
using System.Globalization;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Options;

namespace Garnet.Cli.Modes;

/// <summary>Sends the script with keys and arguments, which a comma separates.</summary>
internal static class EvalMode
{
    /// <summary>Runs it.</summary>
    /// <returns>The exit code.</returns>
    public static int Run(CliOptions options, CliSession session)
    {
        byte[] script = ReadScript(options.File);
        int comma = Array.FindIndex(options.Command, static each => each.AsSpan().SequenceEqual(","u8));
        int keys = comma < 0 ? options.Command.Length : comma;
        byte[][] arguments = comma < 0 ? [] : options.Command[(comma + 1)..];
        byte[] count = Encoding.ASCII.GetBytes(keys.ToString(CultureInfo.InvariantCulture));
        session.Require();
        return session.Run(["EVAL"u8.ToArray(), script, count, .. options.Command[..keys], .. arguments], options.Repeat ?? 1) ? 0 : 1;
    }

    private static byte[] ReadScript(string path)
    {
        try
        {
            return File.ReadAllBytes(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CliException($"Can't open file '{path}': {e.Message}");
        }
    }
}
