// What this client must know about commands by their names. Pure functions.
namespace Garnet.Cli.Connection;

/// <summary>Names are compared without letter case.</summary>
internal static class CommandName
{
    /// <summary>Whether an argument is this word, which is in lower case.</summary>
    public static bool Is(ReadOnlySpan<byte> argument, ReadOnlySpan<byte> word)
    {
        if (argument.Length != word.Length)
            return false;
        for (int i = 0; i < word.Length; i++)
        {
            if ((argument[i] is >= (byte)'A' and <= (byte)'Z' ? argument[i] | 0x20 : argument[i]) != word[i])
                return false;
        }

        return true;
    }

    /// <summary>Whether the command subscribes to channels.</summary>
    public static bool IsSubscribe(ReadOnlySpan<byte> name) =>
        Is(name, "subscribe"u8) || Is(name, "psubscribe"u8) || Is(name, "ssubscribe"u8);

    /// <summary>Whether the command ends subscriptions.</summary>
    public static bool IsUnsubscribe(ReadOnlySpan<byte> name) =>
        Is(name, "unsubscribe"u8) || Is(name, "punsubscribe"u8) || Is(name, "sunsubscribe"u8);

    /// <summary>Whether the reply is a text for people, which is printed without quotes.</summary>
    public static bool HasPlainReply(byte[][] command)
    {
        ReadOnlySpan<byte> name = command[0];
        ReadOnlySpan<byte> second = command.Length > 1 ? command[1] : default;
        if (Is(name, "info"u8) || Is(name, "lolwut"u8))
            return true;
        if (Is(name, "debug"u8))
            return Is(second, "htstats"u8) || Is(second, "htstats-key"u8) || Is(second, "client-eviction"u8);
        if (Is(name, "memory"u8))
            return Is(second, "malloc-stats"u8) || Is(second, "doctor"u8);
        if (Is(name, "cluster"u8))
            return command.Length == 2 && (Is(second, "nodes"u8) || Is(second, "info"u8));
        if (Is(name, "client"u8))
            return Is(second, "list"u8) || Is(second, "info"u8);
        if (Is(name, "latency"u8))
            return (command.Length == 3 && Is(second, "graph"u8)) || (command.Length == 2 && Is(second, "doctor"u8));
        return Is(name, "proxy"u8) && Is(second, "info"u8);
    }
}
