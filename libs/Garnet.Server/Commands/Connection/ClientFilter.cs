// Selects clients for CLIENT LIST and CLIENT KILL. Created and used by one command.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Server.Acl;
using Garnet.Server.Replication;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Connection;

/// <summary>
/// The filters of a CLIENT LIST or CLIENT KILL; a client must pass all of them. The last of several filters of a kind wins, but IDs add up.
/// </summary>
internal sealed class ClientFilter(ClientLine lines, ClientRegistry clients, ServerReplication replication, Users users, ServerClock clock)
{
    private const string KnownFlags = "OSMPxbtRBdcuAUreTIiEN";
    private const string KnownCapabilities = "r";

    private readonly Dictionary<string, Func<ClientSession, bool>> _tests = [];
    private SortedSet<long>? _ids;
    private SortedSet<long>? _excludedIds;
    private bool _skipMe;

    /// <summary>Selects by address only, including the calling client (the old form of CLIENT KILL).</summary>
    public void SelectAddress(string address) => _tests["addr"] = client => client.Connection.RemoteAddress == address;

    /// <summary>Parses the filters from an argument on; writes the error and returns false if they are invalid.</summary>
    public bool TryParse(ref CommandContext context, int index, bool skipMe = false)
    {
        _skipMe = skipMe;
        while (index < context.Count)
        {
            string name = ArgumentText.Printable(context[index]).ToLowerInvariant();
            index++;
            bool accepted = name switch
            {
                "id" => TryParseIds(ref context, ref index, _ids ??= []),
                "not-id" => TryParseIds(ref context, ref index, _excludedIds ??= []),
                _ when index == context.Count => Refuse(ref context),
                "maxage" => TryParseSeconds(
                    ref context,
                    index++,
                    name,
                    (client, seconds) => client.Traffic.AgeSeconds(clock.Time) >= seconds
                ),
                "idle" => TryParseSeconds(
                    ref context,
                    index++,
                    name,
                    (client, seconds) => client.Traffic.IdleSeconds(clock.Time) >= seconds
                ),
                "skipme" => TryParseSkipMe(ref context, index++),
                "db" or "not-db" => TryParseDatabase(ref context, index++, name),
                _ => TryParseText(ref context, index++, name),
            };
            if (!accepted)
                return false;
        }

        return true;
    }

    /// <summary>The clients that pass, ordered by ID; the connection to the primary is one of them.</summary>
    public IEnumerable<ClientSession> Select(ClientSession caller)
    {
        IEnumerable<ClientSession> all = clients.Connected;
        if (replication.Primary?.Client is { } primary)
            all = all.Append(primary);
        return all.Where(client => Matches(client, caller)).OrderBy(static client => client.Id);
    }

    // Clients that are already being disconnected do not pass.
    private bool Matches(ClientSession client, ClientSession caller)
    {
        if (client.End.IsForced || (_skipMe && client == caller))
            return false;
        if ((_ids is not null && !_ids.Contains(client.Id)) || (_excludedIds is not null && _excludedIds.Contains(client.Id)))
            return false;
        return _tests.Values.All(test => test(client));
    }

    private static bool Refuse(ref CommandContext context)
    {
        context.Reply.WriteError(ErrorText.Syntax);
        return false;
    }

    private static bool Refuse(ref CommandContext context, string error)
    {
        ArgumentText.WriteError(ref context, error);
        return false;
    }

    // IDs end at the first argument that is not a number.
    private static bool TryParseIds(ref CommandContext context, ref int index, SortedSet<long> ids)
    {
        for (; index < context.Count && IntegerText.TryParse(context[index], out long id); index++)
        {
            if (id < 1)
                return Refuse(ref context, "ERR client-id should be greater than 0");
            ids.Add(id);
        }

        return true;
    }

    private bool TryParseSeconds(ref CommandContext context, int index, string name, Func<ClientSession, long, bool> test)
    {
        if (!IntegerText.TryParse(context[index], out long seconds))
            return Refuse(ref context, $"ERR {name} is not an integer or out of range");
        if (seconds <= 0)
            return Refuse(ref context, $"ERR {name} should be greater than 0");
        _tests[name] = client => test(client, seconds);
        return true;
    }

    private bool TryParseSkipMe(ref CommandContext context, int index)
    {
        _skipMe = context.Is(index, "YES"u8);
        return _skipMe || context.Is(index, "NO"u8) || Refuse(ref context);
    }

    private bool TryParseDatabase(ref CommandContext context, int index, string name)
    {
        string shown = name == "db" ? "DB" : "NOT-DB";
        if (!IntegerText.TryParse(context[index], out long database) || database != (int)database)
            return Refuse(ref context, $"ERR {shown} is not an integer or out of range");
        int databases = context.Store.Store.Databases.Count;
        if (database < 0 || database >= databases)
            return Refuse(ref context, $"ERR {shown} number should be between 0 and {databases - 1}");
        Add(name, client => client.Store.Database == database);
        return true;
    }

    private bool TryParseText(ref CommandContext context, int index, string name)
    {
        string value = ArgumentText.Printable(context[index]);
        string kind = name.StartsWith("not-", StringComparison.Ordinal) ? name[4..] : name;
        switch (kind)
        {
            case "addr":
                Add(name, client => client.Connection.RemoteAddress == value);
                return true;
            case "laddr":
                Add(name, client => client.Connection.LocalAddress == value);
                return true;
            case "ip":
                Add(name, client => IsFrom(client.Connection.RemoteAddress, value));
                return true;
            case "name":
                Add(name, client => client.Names.Client.Length > 0 && client.Names.Client == value);
                return true;
            case "lib-name":
                Add(name, client => client.Names.Library.Length > 0 && client.Names.Library == value);
                return true;
            case "lib-ver":
                Add(name, client => client.Names.LibraryVersion.Length > 0 && client.Names.LibraryVersion == value);
                return true;
            case "user":
                User? user = users.Find(value);
                Add(name, client => client.Login.User == user);
                return user is not null || Refuse(ref context, $"ERR No such user '{value}'");
            case "type":
                return TryParseType(ref context, name, value);
            case "flags":
                Add(name, client => value.All(lines.Flags(client).Contains));
                return value.All(KnownFlags.Contains) || Refuse(ref context, UnknownLetters("flags", name, value));
            case "capa":
                Add(name, client => client.Modes.CanRedirect || value.Length == 0);
                return value.All(KnownCapabilities.Contains) || Refuse(ref context, UnknownLetters("capa", name, value));
            default:
                return Refuse(ref context);
        }
    }

    private bool TryParseType(ref CommandContext context, string name, string value)
    {
        if (OutputClassName.TryParse(value, out OutputClass wanted))
            Add(name, client => !client.Propagation.IsOfPrimary && client.Output.Class == wanted);
        else if (value.ToUpperInvariant() is "PRIMARY" or "MASTER")
            Add(name, static client => client.Propagation.IsOfPrimary);
        else
            return Refuse(ref context, $"ERR Unknown client type '{value}'");

        return true;
    }

    private static string UnknownLetters(string what, string name, string value) =>
        name == what
            ? $"ERR Unknown {what} found in the provided filter: {value}"
            : $"ERR Unknown {what} found in the {name.ToUpperInvariant()} filter: {value}";

    private void Add(string name, Func<ClientSession, bool> test) =>
        _tests[name] = name.StartsWith("not-", StringComparison.Ordinal) ? client => !test(client) : test;

    // The address is ip:port or [ip]:port; that of a Unix socket ends with :0 and has no IP.
    private static bool IsFrom(string address, string ip)
    {
        int colon = address.LastIndexOf(':');
        return colon >= 0 && !address.AsSpan(colon + 1).StartsWith("0") && address.AsSpan(0, colon).Trim("[]").SequenceEqual(ip);
    }
}
