// LOLWUT [VERSION version] [argument ...]
using System.Globalization;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Server.Basics;

namespace Garnet.Server.Commands.Server;

/// <summary>Replies with a drawing and the server's version.</summary>
internal static class LolwutCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LOLWUT",
        Arity = -1,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Server,
        Since = "5.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        int first = 1;
        long version = Newest;
        if (context.Count >= 3 && context.Is(1, "VERSION"u8))
        {
            first = 3;
            if (!context.TryGetInteger(2, out version))
                return;
        }

        // The drawing is the same for every version.
        if (AreUnderstood(ref context, first, unchecked((uint)version)))
        {
            bool asRedis = context.Settings.RepliesAsRedis;
            context.Reply.WriteVerbatim("txt"u8, asRedis ? DrawingAsRedis : Drawing);
        }
    }

    // Validates the arguments, which differ by version; versions without a drawing in Valkey ignore theirs.
    private static bool AreUnderstood(ref CommandContext context, int first, uint version)
    {
        int given = context.Count - first;
        if (version is 5 or 6)
            return AreIntegers(ref context, first, Math.Min(given, version == 5 ? 3 : 2));
        if (version.ToString(CultureInfo.InvariantCulture)[0] != '9')
            return true;
        if (given is 0 or 2 or 4)
            return AreIntegers(ref context, first, Math.Min(given, 2)) && (given != 4 || AreNumbers(ref context, first + 2));
        context.Reply.WriteError("ERR Syntax error. Use: LOLWUT [columns rows] [real imaginary]"u8);
        return false;
    }

    private static bool AreIntegers(ref CommandContext context, int first, int count)
    {
        for (int i = first; i < first + count; i++)
        {
            if (!context.TryGetInteger(i, out _))
                return false;
        }

        return true;
    }

    private static bool AreNumbers(ref CommandContext context, int first)
    {
        if (LongDoubleText.TryParse(context[first], out _) && LongDoubleText.TryParse(context[first + 1], out _))
            return true;
        context.Reply.WriteError(ErrorText.NotFloat);
        return false;
    }

    private const int Newest = 9;

    private static readonly byte[] Drawing = Draw($"Garnet ver. {ServerVersion.Current}");

    private static readonly byte[] DrawingAsRedis = Draw($"Redis ver. {ServerVersion.Compatibility}");

    private static byte[] Draw(string version) =>
        Encoding.ASCII.GetBytes(
            "       ______\n"
                + "      /\\    /\\\n"
                + "     /  \\  /  \\\n"
                + "    /____\\/____\\\n"
                + "    \\    /\\    /\n"
                + "     \\  /  \\  /\n"
                + "      \\/____\\/\n"
                + "\n"
                + version
                + "\n"
        );
}
