// Decides whether a user may make a call. Stateless; runs on the client's thread.
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Server.Acl;

/// <summary>
/// A call is allowed when one selector allows its databases, its command, all of its keys and all of its channels. Keys are those that the
/// arguments name: KEYS, SCAN or FLUSHALL are a matter of the command alone.
/// </summary>
internal static class Permission
{
    private const AclCategories OnData = AclCategories.Keyspace | AclCategories.Read | AclCategories.Write;

    /// <summary>Checks a call.</summary>
    /// <param name="rules">The user's rules.</param>
    /// <param name="command">The command or subcommand.</param>
    /// <param name="context">Holds the arguments.</param>
    /// <param name="offset">Index of the command's name among the arguments.</param>
    /// <param name="database">The database in which the call would run.</param>
    /// <param name="position">The argument because of which it is denied, relative to the name; 0 when it is no argument.</param>
    public static Denial Check(UserRules rules, Command command, in CommandContext context, int offset, int database, out int position)
    {
        position = 0;
        if (rules.AllowEverything)
            return Denial.None;
        Denial denial = Denial.Database;
        foreach (Selector selector in rules.Effective)
        {
            Denial found = Check(selector, command, in context, offset, database, out int at);
            if (found == Denial.None)
                return Denial.None;
            if (found > denial || (found == denial && at > position))
                (denial, position) = (found, at);
        }

        return denial;
    }

    /// <summary>Whether a call is allowed by a selector that allows reading every key, as SORT needs for keys made of values.</summary>
    public static bool AllowsReadingEveryKey(UserRules rules, in CommandContext context)
    {
        if (rules.AllowEverything)
            return true;
        foreach (Selector selector in rules.Effective)
        {
            if (
                selector.AllowsReadingEveryKey
                && Check(selector, context.Command, in context, 0, context.Store.Database, out _) == Denial.None
            )
            {
                return true;
            }
        }

        return false;
    }

    private static Denial Check(Selector selector, Command command, in CommandContext context, int offset, int database, out int position)
    {
        position = 0;
        if (!selector.AllDatabases && !AllowsDatabases(selector, command, in context, offset, database, out position))
            return Denial.Database;
        if (!selector.Commands.Allows(command, in context, offset))
            return Denial.Command;
        if (!selector.AllKeys && !AllowsKeys(selector, command, in context, offset, out position))
            return Denial.Key;
        return selector.AllChannels || AllowsChannels(selector, command, in context, offset, out position) ? Denial.None : Denial.Channel;
    }

    private static bool AllowsDatabases(
        Selector selector,
        Command command,
        in CommandContext context,
        int offset,
        int database,
        out int position
    )
    {
        position = 0;
        if (command.Has(CommandTraits.ChangesEveryDatabase))
            return Enumerable.Range(0, context.Store.Store.Databases.Count).All(selector.AllowsDatabase);
        if (command.Descriptor.FindDatabases is { } find)
        {
            List<int> named = [];
            find(in context, offset, named);
            foreach (int argument in named)
            {
                // A number that is no database of this server is the command's own error.
                if (
                    !IntegerText.TryParse(context[offset + argument], out long number)
                    || (ulong)number >= (ulong)context.Store.Store.Databases.Count
                )
                {
                    break;
                }

                position = argument;
                if (!selector.AllowsDatabase((int)number))
                    return false;
            }

            position = 0;
            return command.Descriptor.Keys.Length == 0 || selector.AllowsDatabase(database);
        }

        bool usesData = (command.Categories & OnData) != 0 || command.Descriptor.Keys.Length > 0;
        return !usesData || selector.AllowsDatabase(database);
    }

    private static bool AllowsKeys(Selector selector, Command command, in CommandContext context, int offset, out int position)
    {
        position = 0;
        KeySpec[] specs = command.Descriptor.Keys;
        if (specs.Length == 0)
            return true;
        if (command.SimpleFirstKey > 0 && specs[0].LastKey == 0)
        {
            position = specs[0].BeginIndex;
            KeySpecFlags flags = command.Descriptor.KeyFlags?.Invoke(in context, offset) ?? specs[0].Flags;
            return (flags & KeySpecFlags.NotKey) != 0
                || context.Count <= offset + position
                || selector.AllowsKey(context[offset + position], AccessOf(flags));
        }

        List<KeyPosition> keys = context.Scratch.Pools.KeyPositions;
        keys.Clear();
        if (KeyExtractor.TryGetKeys(command, in context, offset, keys))
            return AllowsAll(selector, keys, in context, offset, out position);
        // If the number of keys is not quite a number, the keys are those of COMMAND GETKEYS, as in Valkey. If other arguments do not fit,
        // the keys found before them are still checked. Valkey then checks none, so that PFMERGE of a single key gets around its rules.
        List<KeyPosition> resembling = [];
        return (
                !KeyExtractor.TryGetKeysLoosely(command, in context, offset, resembling)
                || AllowsAll(selector, resembling, in context, offset, out position)
            ) && AllowsAll(selector, keys, in context, offset, out position);
    }

    private static bool AllowsAll(Selector selector, List<KeyPosition> keys, in CommandContext context, int offset, out int position)
    {
        position = 0;
        foreach (KeyPosition key in keys)
        {
            position = key.Index;
            if (!selector.AllowsKey(context[offset + key.Index], AccessOf(key.Flags)))
                return false;
        }

        return true;
    }

    private static KeyAccess AccessOf(KeySpecFlags flags) =>
        ((flags & KeySpecFlags.Access) != 0 ? KeyAccess.Read : KeyAccess.None)
        | ((flags & (KeySpecFlags.Insert | KeySpecFlags.Delete | KeySpecFlags.Update)) != 0 ? KeyAccess.Write : KeyAccess.None);

    private static bool AllowsChannels(Selector selector, Command command, in CommandContext context, int offset, out int position)
    {
        position = 0;
        if (command.Descriptor.Channels is not { } channels)
            return true;
        int count = channels.IsOne ? 2 : context.Count - offset;
        for (position = 1; position < count; position++)
        {
            if (!selector.AllowsChannel(context[offset + position], channels.ArePatterns))
                return false;
        }

        return true;
    }
}
