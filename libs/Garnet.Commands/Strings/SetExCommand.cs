// SETEX key seconds value
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Sets a key to a string that expires after a number of seconds.</summary>
internal static class SetExCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SETEX",
        Arity = 4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.String,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update)],
        Event = KeyEvent.Set,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => Set(ref context, StringOption.Ex);

    /// <summary>Sets the key in argument 1 to the string in argument 3, with argument 2 as its time to live.</summary>
    internal static void Set(ref CommandContext context, StringOption unit)
    {
        if (!ExpiryArgument.TryRead(ref context, 2, unit, out long expiresAtMs))
            return;
        context.NotifyEach(KeyEvent.Expire);
        RecordHandle record = context.Open(1);
        context.SetString(ref record, 3, expiresAtMs);
        SetEffect.WithExpiry(ref context, 1, 3, expiresAtMs);
        context.Reply.WriteOk();
    }
}
