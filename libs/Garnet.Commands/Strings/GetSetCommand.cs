// GETSET key value
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Sets a key to a string and replies with the previous one.</summary>
internal static class GetSetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETSET",
        Arity = 3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.String,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update)],
        Event = KeyEvent.Set,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        RecordHandle record = context.Open(1);
        if (!TryReplyWithOld(ref context, ref record))
            return;
        // Reading and replacing count as two accesses, as in Valkey; in SET GET too.
        record.Usage.UseAgain();
        context.SetString(ref record, 2);
        SetEffect.Plain(ref context, 1, 2);
    }

    /// <summary>
    /// Replies with the string in a record, or null if there is none; writes the error and returns false if it is not a string.
    /// </summary>
    internal static bool TryReplyWithOld(ref CommandContext context, ref RecordHandle record)
    {
        context.CountLookup(record.Exists, 1);
        if (!record.Exists)
        {
            context.Reply.WriteNull();
            return true;
        }

        if (record.Type != RecordType.String)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return false;
        }

        context.WriteString(in record);
        return true;
    }
}
