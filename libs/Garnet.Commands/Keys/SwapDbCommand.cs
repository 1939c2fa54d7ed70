// SWAPDB index1 index2
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>Swaps the contents of two databases.</summary>
internal static class SwapDbCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SWAPDB",
        Arity = 3,
        Flags = CommandFlags.Write | CommandFlags.Fast | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Server,
        Categories = AclCategories.Dangerous | AclCategories.Keyspace,
        Since = "4.0.0",
        FindDatabases = static (in CommandContext _, int _, List<int> databases) => databases.AddRange([1, 2]),
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !Int32Argument.TryGet(ref context, 1, out int first, "ERR invalid first DB index"u8)
            || !Int32Argument.TryGet(ref context, 2, out int second, "ERR invalid second DB index"u8)
        )
        {
            return;
        }

        uint databases = (uint)context.Store.Store.Databases.Count;
        if ((uint)first >= databases || (uint)second >= databases)
        {
            context.Reply.WriteError(ErrorText.DatabaseOutOfRange);
            return;
        }

        if (!context.Client.Executor.TryBeginAlone(ref context))
            return;
        context.Store.Store.Databases.Swap(context.Store, first, second);
        // As in Valkey even if nothing has changed.
        context.KeepEffect();
        context.Reply.WriteOk();
    }
}
