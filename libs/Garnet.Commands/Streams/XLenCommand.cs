// XLEN key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Streams;

/// <summary>Replies with the number of entries of a stream.</summary>
internal static class XLenCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XLEN",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        StreamLengthReader reader = default;
        if (context.Read(1, RecordType.Stream, ref reader) == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteInteger(reader.Length);
    }
}
