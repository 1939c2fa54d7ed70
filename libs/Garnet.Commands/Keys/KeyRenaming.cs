// Shared implementation of RENAME and RENAMENX. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Moves a value with its expiry from one key to another atomically: no client sees both keys or neither.</summary>
internal static class KeyRenaming
{
    /// <summary>Renames the key at argument 1 to argument 2; writes the error and returns false when it does not exist.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="replaces">Whether an existing key with the new name is replaced.</param>
    /// <param name="isRenamed">False if the new name was taken or is the same as the old one.</param>
    public static bool TryRename(ref CommandContext context, bool replaces, out bool isRenamed)
    {
        isRenamed = false;
        context.LatchKeys(1, 1, 2);
        RecordHandle source = context.Open(1);
        if (!source.Exists)
        {
            context.Reply.WriteError(ErrorText.NoSuchKey);
            return false;
        }

        if (context[1].SequenceEqual(context[2]))
            return true;
        RecordHandle target = context.Open(2);
        if (target.Exists && !replaces)
            return true;
        context.NotifyInsteadOfDel(null);
        RecordTransfer.Move(ref source, ref target);
        context.Notify(KeyEvents.RenameFrom, 1);
        context.Notify(KeyEvents.RenameTo, 2);
        isRenamed = true;
        return true;
    }
}
