// Opens the keys of stream commands. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Latches a key whose value must be a stream or absent.</summary>
internal static class StreamKey
{
    /// <summary>
    /// Opens the key in an argument; writes the error and returns false if it holds another type. An absent stream is empty.
    /// </summary>
    public static bool TryOpen(scoped ref CommandContext context, int keyArgument, out StreamValue stream)
    {
        bool isOpen = context.TryOpen(keyArgument, RecordType.Stream, countsLookup: false, out RecordHandle record);
        stream = isOpen ? new StreamValue(record) : default;
        return isOpen;
    }

    /// <summary>As <see cref="TryOpen"/>, and counts the lookup.</summary>
    public static bool TryOpenForReading(scoped ref CommandContext context, int keyArgument, out StreamValue stream)
    {
        bool isOpen = context.TryOpen(keyArgument, RecordType.Stream, countsLookup: true, out RecordHandle record);
        stream = isOpen ? new StreamValue(record) : default;
        return isOpen;
    }

    /// <summary>Writes the error for an absent key or group.</summary>
    public static void WriteNoGroup(ref CommandContext context, int keyArgument, int groupArgument, string where = "") =>
        ArgumentText.WriteError(
            ref context,
            $"NOGROUP No such key '{ArgumentText.Printable(context[keyArgument])}' or consumer group '{ArgumentText.Printable(context[groupArgument])}'{where}"
        );

    /// <summary>Writes the error for a group that an existing key does not have.</summary>
    public static void WriteNoGroupForKey(ref CommandContext context, int keyArgument, int groupArgument) =>
        ArgumentText.WriteError(
            ref context,
            $"NOGROUP No such consumer group '{ArgumentText.Printable(context[groupArgument])}' for key name '{ArgumentText.Printable(context[keyArgument])}'"
        );

    /// <summary>Writes the error for a subcommand with unknown arguments.</summary>
    public static void WriteSubcommandError(ref CommandContext context, string container)
    {
        ReadOnlySpan<byte> name = context[1];
        ArgumentText.WriteError(
            ref context,
            $"ERR unknown subcommand or wrong number of arguments for '{ArgumentText.Printable(name.Length > 128 ? name[..128] : name)}'. Try {container} HELP."
        );
    }
}
