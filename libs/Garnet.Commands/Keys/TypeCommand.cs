// TYPE key
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>Replies with the name of the type of a key's value.</summary>
internal static class TypeCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "TYPE",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Generic,
        Traits = CommandTraits.IgnoresValue,
        Categories = AclCategories.Keyspace,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        DataTypeReader reader = new(context.Store.Store.Types);
        bool exists = context.Store.Reads.ReadAny(context[1], context.Hash(1), ref reader) == ReadOutcome.Found;
        context.CountLookup(exists, 1);
        if (reader.MissingName is { } name)
            context.Reply.WriteSimpleString(Encoding.ASCII.GetBytes(name));
        else
            context.Reply.WriteSimpleString(exists ? reader.Type!.NameBytes : "none"u8);
    }
}
