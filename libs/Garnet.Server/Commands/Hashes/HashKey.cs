// How commands of hashes come to their value. Stateless; the key stays latched until the command ends.
using Garnet.Store;

namespace Garnet.Server.Commands.Hashes;

/// <summary>Opens the hash at argument 1.</summary>
internal static class HashKey
{
    /// <summary>Latches the key; writes the error and answers false when it holds another type. An absent hash is empty.</summary>
    public static bool TryOpen(scoped ref CommandContext context, out HashValue hash)
    {
        RecordHandle record = context.Open(1);
        if (record.Exists && record.Type != RecordType.Hash)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            hash = default;
            return false;
        }

        hash = new HashValue(record);
        return true;
    }

    /// <summary>As <see cref="TryOpen"/> for commands that read, whose look-ups are counted.</summary>
    public static bool TryOpenToRead(scoped ref CommandContext context, out HashValue hash)
    {
        RecordHandle record = context.Open(1);
        context.CountLookup(record.Exists);
        if (record.Exists && record.Type != RecordType.Hash)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            hash = default;
            return false;
        }

        hash = new HashValue(record);
        return true;
    }

    /// <summary>Fields that have not expired.</summary>
    public static long VisibleFields(in CommandContext context, in HashValue hash)
    {
        // A field is still there in the millisecond of its expiry.
        if (hash.EarliestExpiryMs >= context.NowMs)
            return hash.Length;
        long fields = 0;
        foreach (HashField _ in hash)
            fields++;
        return fields;
    }
}
