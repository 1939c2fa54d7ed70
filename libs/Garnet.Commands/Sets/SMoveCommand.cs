// SMOVE source destination member
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Moves a member from one set to another atomically.</summary>
internal static class SMoveCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SMOVE",
        Arity = 4,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Set,
        Since = "1.0.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete),
            KeySpec.Range(2, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert),
        ],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.LatchKeys(1, 1, 2);
        // Both keys are looked up in any case, so that an expired one is removed.
        RecordHandle source = context.Open(1);
        RecordHandle target = context.Open(2);
        if (!source.Exists)
        {
            context.Reply.WriteInteger(0);
            return;
        }

        if (source.Type != RecordType.Set || (target.Exists && target.Type != RecordType.Set))
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return;
        }

        SetValue from = new(source);
        bool isSame = context[1].SequenceEqual(context[2]);
        bool isMember = isSame ? from.Contains(context[3]) : from.Remove(context[3]);
        if (isMember && !isSame)
        {
            context.Notify(SetEvents.Remove, 1);
            SetValue to = new(target);
            bool isAdded = to.Add(context[3]);
            if (isAdded)
                context.Notify(SetEvents.Add, 2);
            context.CountChanges(isAdded ? 2 : 1);
        }

        context.Reply.WriteInteger(isMember ? 1 : 0);
    }
}
