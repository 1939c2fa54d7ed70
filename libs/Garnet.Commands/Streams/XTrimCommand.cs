// XTRIM key MAXLEN | MINID [= | ~] threshold [LIMIT count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Removes the oldest entries of a stream, and replies with their number.</summary>
internal static class XTrimCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XTRIM",
        Arity = -4,
        Flags = CommandFlags.Write,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !TrimOptions.TryParse(ref context, isAdding: false, out TrimOptions options)
            || !StreamKey.TryOpen(ref context, 1, out StreamValue stream)
        )
        {
            return;
        }

        long removed = stream.Exists ? options.Apply(ref stream) : 0;
        if (removed > 0 && options.IsApproximate && context.HasSink)
            options.AddResult(context.BeginEffect(5).Add("XTRIM"u8).Add(context[1]), stream.View);
        if (removed > 0)
            context.Notify(StreamEvents.Trim, 1);
        context.CountChanges(removed);
        context.Reply.WriteInteger(removed);
    }
}
