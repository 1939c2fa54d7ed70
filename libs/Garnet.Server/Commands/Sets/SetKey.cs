// How commands of sets come to their value. Stateless; the key stays latched until the command ends.
using Garnet.Store;

namespace Garnet.Server.Commands.Sets;

/// <summary>Opens the set at an argument.</summary>
internal static class SetKey
{
    /// <summary>Latches the key; writes the error and answers false when it holds another type. An absent set is empty.</summary>
    public static bool TryOpen(scoped ref CommandContext context, int keyArgument, out SetValue set)
    {
        RecordHandle record = context.Open(keyArgument);
        if (record.Exists && record.Type != RecordType.Set)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            set = default;
            return false;
        }

        set = new SetValue(record);
        return true;
    }

    /// <summary>As <see cref="TryOpen"/> for commands that read, whose look-ups are counted.</summary>
    public static bool TryOpenToRead(scoped ref CommandContext context, int keyArgument, out SetValue set)
    {
        RecordHandle record = context.Open(keyArgument);
        context.CountLookup(record.Exists);
        if (record.Exists && record.Type != RecordType.Set)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            set = default;
            return false;
        }

        set = new SetValue(record);
        return true;
    }
}
