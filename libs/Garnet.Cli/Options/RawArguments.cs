// The bytes of the process's arguments. Stateless; one thread, at start.
using System.Text;

namespace Garnet.Cli.Options;

/// <summary>
/// The runtime decodes arguments as UTF-8, so that other bytes are lost as U+FFFD. Linux still has them: values given on the command line
/// stay binary.
/// </summary>
internal static class RawArguments
{
    private const char Replacement = '\uFFFD';
    private const string ProcessArguments = "/proc/self/cmdline";

    /// <summary>The bytes of the last arguments of the process.</summary>
    public static byte[][] Of(string[] arguments)
    {
        byte[][] decoded = new byte[arguments.Length][];
        bool isLossy = false;
        for (int i = 0; i < arguments.Length; i++)
        {
            decoded[i] = Encoding.UTF8.GetBytes(arguments[i]);
            isLossy |= arguments[i].Contains(Replacement, StringComparison.Ordinal);
        }

        return isLossy && OperatingSystem.IsLinux() ? FromKernel(decoded) : decoded;
    }

    // Each argument ends with a zero byte. A caller that is not the process's own start gets what it passed.
    private static byte[][] FromKernel(byte[][] decoded)
    {
        byte[] all = File.ReadAllBytes(ProcessArguments);
        byte[][] raw = new byte[decoded.Length][];
        int end = all.Length - 1;
        for (int i = raw.Length - 1; i >= 0; i--)
        {
            int start = end <= 0 ? -1 : all.AsSpan(0, end).LastIndexOf((byte)0);
            raw[i] = end < 0 ? [] : all[(start + 1)..end];
            if (Encoding.UTF8.GetString(raw[i]) != Encoding.UTF8.GetString(decoded[i]))
                return decoded;
            end = start;
        }

        return raw;
    }
}
