// Shared implementation of the subcommands of OBJECT. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Looks up a key without counting as an access to it.</summary>
internal static class ObjectLookup
{
    /// <summary>Reads the key at argument 2; replies null and returns false if it does not exist.</summary>
    public static bool TryRead<TReader>(ref CommandContext context, ref TReader reader)
        where TReader : struct, IValueReader
    {
        bool found = context.Store.Reads.ReadAny(context[2], context.Hash(2), ref reader) == ReadOutcome.Found;
        context.CountLookupOnly(found);
        if (!found)
            context.Reply.WriteNull();
        return found;
    }
}
