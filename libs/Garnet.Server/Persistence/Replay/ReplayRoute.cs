// How the effects of one command are replayed. Immutable.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Persistence.Replay;

/// <summary>A command's kind, and where its keys are.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="FirstKey">Argument index of the first key, if the kind has keys.</param>
/// <param name="Step">Distance between keys, and number of arguments of the command that does the same with one key.</param>
/// <param name="Single">That command, for <see cref="ReplayKind.EachKey"/>.</param>
internal readonly record struct ReplayRoute(ReplayKind Kind, int FirstKey = 0, int Step = 0, Command? Single = null)
{
    /// <summary>The routes of all commands by command id.</summary>
    public static ReplayRoute[] Of(CommandTable commands)
    {
        var routes = new ReplayRoute[commands.IdLimit];
        foreach (Command command in commands.Commands)
        {
            routes[command.Id] = Of(command, commands);
            foreach (Command sub in command.Subcommands)
                routes[sub.Id] = MayCome(sub) ? OfKeys(sub) : new ReplayRoute(ReplayKind.Refused);
        }

        return routes;
    }

    private static ReplayRoute Of(Command command, CommandTable commands)
    {
        if (IsIgnored(command))
            return new ReplayRoute(ReplayKind.Ignored);
        if (!MayCome(command))
            return new ReplayRoute(ReplayKind.Refused);
        if (command.Has(CommandTraits.SelectsDatabase))
            return new ReplayRoute(ReplayKind.Selects);
        if (command.Has(CommandTraits.BeginsTransaction))
            return new ReplayRoute(ReplayKind.Begins);
        if (command.Has(CommandTraits.RunsTransaction))
            return new ReplayRoute(ReplayKind.Ends);
        if (command.Descriptor.SingleKeyForm is not { } name)
            return OfKeys(command);
        Command single =
            commands.FindOriginal(Encoding.ASCII.GetBytes(name))
            ?? throw new InvalidOperationException($"'{name}', the single-key form of '{command.FullName}', is not a command.");
        return new ReplayRoute(ReplayKind.EachKey, command.SimpleFirstKey, Math.Abs(single.Descriptor.Arity) - 1, single);
    }

    /// <summary>
    /// Whether a primary's stream or a log may bring a command: one that writes or may be replicated, or that is part of their protocol.
    /// They are executed without a user's rules, so nothing else may be.
    /// </summary>
    public static bool MayCome(Command command)
    {
        const CommandFlags Replicated = CommandFlags.Write | CommandFlags.MayReplicate;
        const CommandTraits Protocol =
            CommandTraits.SelectsDatabase
            | CommandTraits.BeginsTransaction
            | CommandTraits.RunsTransaction
            | CommandTraits.ReportsWriteDenial
            | CommandTraits.OfReplication
            | CommandTraits.ReplicatedByOldServers;
        return command.Has(Protocol) || ((command.Flags & Replicated) != 0 && !command.Has(CommandTraits.NeverReplicated));
    }

    /// <summary>Whether a command has no effect on data: a message to subscribers, or part of the protocol of replication.</summary>
    public static bool IsIgnored(Command command)
    {
        const CommandFlags Message = CommandFlags.PubSub | CommandFlags.MayReplicate;
        return command.Has(CommandTraits.OfReplication)
            || command.Has(CommandTraits.ReportsWriteDenial)
            || (command.Flags & Message) == Message;
    }

    // A write whose single key is given by a plain range. A command that may access other keys than the specified ones is replayed alone.
    private static ReplayRoute OfKeys(Command command)
    {
        const CommandFlags Wide =
            CommandFlags.MovableKeys | CommandFlags.WholeKeyspace | CommandFlags.MayReplicate | CommandFlags.Protected;
        bool isOfOneKey =
            command.IsWrite && (command.Flags & Wide) == 0 && command.SimpleFirstKey > 0 && command.Descriptor.Keys[0].LastKey == 0;
        return isOfOneKey ? new ReplayRoute(ReplayKind.OneKey, command.SimpleFirstKey) : new ReplayRoute(ReplayKind.Alone);
    }
}
