// The arguments of a command in a form for logs. Stateless.
using System.Text;

namespace Garnet.Engine.Execution;

/// <summary>Truncates long arguments and omits secrets.</summary>
internal static class LoggedArguments
{
    /// <summary>Maximum number of arguments shown.</summary>
    public const int MaxArguments = 32;

    private const int MaxArgumentLength = 128;

    /// <summary>Replaces a secret.</summary>
    public static ReadOnlySpan<byte> Redacted => "(redacted)"u8;

    /// <summary>Copies of the arguments of the command in the context.</summary>
    public static byte[][] Shorten(ref CommandContext context)
    {
        byte[][] shown = new byte[Math.Min(context.Count, MaxArguments)][];
        for (int i = 0; i < shown.Length; i++)
        {
            ReadOnlySpan<byte> argument = context[i];
            if (IsSecret(ref context, i))
            {
                shown[i] = Redacted.ToArray();
            }
            else if (i == MaxArguments - 1 && context.Count > MaxArguments)
            {
                shown[i] = Encoding.ASCII.GetBytes($"... ({context.Count - MaxArguments + 1} more arguments)");
            }
            else if (argument.Length > MaxArgumentLength)
            {
                shown[i] =
                [
                    .. argument[..MaxArgumentLength],
                    .. Encoding.ASCII.GetBytes($"... ({argument.Length - MaxArgumentLength} more bytes)"),
                ];
            }
            else
            {
                shown[i] = argument.ToArray();
            }
        }

        return shown;
    }

    /// <summary>True for an argument that may be a password.</summary>
    public static bool IsSecret(ref CommandContext context, int argument) =>
        context.Command.Descriptor.IsSecret?.Invoke(ref context, argument) == true;
}
