// One set of permissions of a user. Changed by one thread before it is published, never after; then read by any thread.
using System.Text;
using Garnet.Engine.Execution;

namespace Garnet.Server.Acl;

/// <summary>
/// Commands together with the keys, channels and databases that they may be used on. Every user has a root selector, and may have more: a
/// call must be allowed by one of them as a whole.
/// </summary>
internal sealed class Selector
{
    /// <summary>Allows no command, but all databases, and all channels if acl-pubsub-default says so.</summary>
    public Selector(CommandTable table, bool allChannels)
    {
        Commands = new AllowedCommands(table);
        AllChannels = allChannels;
        AllDatabases = true;
    }

    private Selector(Selector other)
    {
        Commands = other.Commands.Clone();
        (AllKeys, AllChannels, AllDatabases) = (other.AllKeys, other.AllChannels, other.AllDatabases);
        Keys = [.. other.Keys];
        Channels = [.. other.Channels];
        Databases = new SortedSet<int>(other.Databases);
    }

    public AllowedCommands Commands { get; }

    public bool AllKeys { get; set; }

    public bool AllChannels { get; set; }

    public bool AllDatabases { get; set; }

    public List<KeyPattern> Keys { get; } = [];

    public List<KeyPattern> Channels { get; } = [];

    public SortedSet<int> Databases { get; set; } = [];

    /// <summary>True when it denies nothing.</summary>
    public bool AllowsEverything => Commands.AreAll && AllKeys && AllChannels && AllDatabases;

    public Selector Clone() => new(this);

    /// <summary>Whether a database may be used.</summary>
    public bool AllowsDatabase(int database) => AllDatabases || Databases.Contains(database);

    /// <summary>Whether a key may be accessed in this way.</summary>
    public bool AllowsKey(ReadOnlySpan<byte> key, KeyAccess access)
    {
        if (AllKeys)
            return true;
        foreach (KeyPattern pattern in Keys)
        {
            if ((pattern.Access & access) == access && pattern.Matches(key))
                return true;
        }

        return false;
    }

    /// <summary>Whether every key, also one that no argument names, may be read.</summary>
    public bool AllowsReadingEveryKey =>
        AllKeys || Keys.Exists(static pattern => (pattern.Access & KeyAccess.Read) != 0 && pattern.Text == "*");

    /// <summary>Whether a channel may be used; a pattern of channels only if exactly this pattern is allowed.</summary>
    public bool AllowsChannel(ReadOnlySpan<byte> channel, bool isPattern)
    {
        if (AllChannels)
            return true;
        foreach (KeyPattern pattern in Channels)
        {
            if (isPattern ? channel.SequenceEqual(pattern.Bytes) : pattern.Matches(channel))
                return true;
        }

        return false;
    }

    /// <summary>The key patterns as ACL GETUSER shows them.</summary>
    public string KeysText => AllKeys ? "~*" : string.Join(' ', Keys);

    /// <summary>The channel patterns as ACL GETUSER shows them.</summary>
    public string ChannelsText => AllChannels ? "&*" : string.Join(' ', Channels.Select(static pattern => "&" + pattern.Text));

    /// <summary>The databases as ACL GETUSER shows them.</summary>
    public string DatabasesText =>
        AllDatabases ? "alldbs"
        : Databases.Count == 0 ? ""
        : "db=" + string.Join(',', Databases);

    /// <summary>All its rules, as ACL LIST shows them.</summary>
    public override string ToString()
    {
        StringBuilder text = new();
        if (KeysText.Length > 0)
            text.Append(KeysText).Append(' ');
        if (!AllChannels)
            text.Append("resetchannels ");
        if (ChannelsText.Length > 0)
            text.Append(ChannelsText).Append(' ');
        // All databases are the default, and left out so that older servers understand the text.
        if (!AllDatabases)
            text.Append(Databases.Count == 0 ? "resetdbs" : DatabasesText).Append(' ');
        return text.Append(Commands).ToString();
    }
}
