// The tracking of one client. Changed by the client's thread; other threads read it to send it invalidations.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Tracking;

/// <summary>Exists from a client's first CLIENT TRACKING ON until its end, whether tracking is on or not.</summary>
/// <param name="client">The client.</param>
/// <param name="number">Its number in the table of tracked keys.</param>
/// <param name="table">The table, and the prefixes of all clients.</param>
internal sealed class ClientTracking(ClientSession client, uint number, KeyTracking table) : ClientPart
{
    // Shared by all prefixes that no other client has.
    private readonly ClientSession[] _alone = [client];
    private volatile Settings? _settings;
    private long _prefixBytes;
    private volatile bool _isRedirectBroken;
    private bool _keepsCaching; // the last request was one that does not end the effect of CLIENT CACHING

    /// <summary>Its number in the table.</summary>
    public uint Number => number;

    /// <summary>Whether tracking is on.</summary>
    public bool IsOn => _settings is not null;

    /// <summary>The options; none while tracking is off.</summary>
    public TrackingModes Modes => _settings?.Modes ?? default;

    /// <summary>Whether the client is notified of the keys that it has read.</summary>
    public bool TracksReads => _settings is { } settings && (settings.Modes & TrackingModes.Broadcast) == 0;

    /// <summary>The client that gets the invalidations; 0 for the client itself, -1 while tracking is off.</summary>
    public long Redirect => _settings?.Redirect ?? -1;

    /// <summary>Whether an invalidation could not be sent because the client of <see cref="Redirect"/> is gone.</summary>
    public bool IsRedirectBroken
    {
        get => _isRedirectBroken;
        set => _isRedirectBroken = value;
    }

    /// <summary>Whether CLIENT CACHING was called for the next command or transaction.</summary>
    public bool IsCachingGiven { get; private set; }

    /// <summary>The prefixes in their order; changed by the client's thread.</summary>
    public SortedSet<byte[]> Prefixes { get; } = new(PrefixTable.Order);

    /// <summary>Memory of the prefixes.</summary>
    public override long MemoryBytes => _prefixBytes;

    /// <summary>
    /// The first prefix in their order that matches a key which the given one matches, too; null if there is none. As they do not overlap
    /// with each other, only the neighbours of the given one can.
    /// </summary>
    public byte[]? FindOverlap(byte[] prefix)
    {
        if (Prefixes.Count == 0)
            return null;
        // Views of a sorted set find their ends in logarithmic time.
        if (PrefixTable.Order.Compare(Prefixes.Min!, prefix) <= 0)
        {
            byte[] before = Prefixes.GetViewBetween(Prefixes.Min, prefix).Max!;
            if (prefix.AsSpan().StartsWith(before))
                return before;
        }

        if (PrefixTable.Order.Compare(Prefixes.Max!, prefix) < 0)
            return null;
        byte[] after = Prefixes.GetViewBetween(prefix, Prefixes.Max).Min!;
        return after.AsSpan().StartsWith(prefix) ? after : null;
    }

    /// <summary>The client of <see cref="Redirect"/>; null when it is gone.</summary>
    public ClientSession? RedirectTarget => table.Clients.Find(Redirect);

    /// <summary>Turns tracking on, or changes its options.</summary>
    public void TurnOn(TrackingModes modes, long redirect, ReadOnlySpan<byte[]> prefixes)
    {
        _isRedirectBroken = false;
        foreach (byte[] prefix in prefixes)
        {
            if (!Prefixes.Add(prefix))
                continue;
            table.Prefixes.Add(prefix, _alone);
            _prefixBytes += prefix.Length + IntPtr.Size;
        }

        _settings = new Settings(modes, redirect);
    }

    /// <summary>Turns tracking off. The table keeps what the client has read, which counts again if it is turned on.</summary>
    public void TurnOff()
    {
        foreach (byte[] prefix in Prefixes)
            table.Prefixes.Remove(prefix, client);
        Prefixes.Clear();
        _prefixBytes = 0;
        _settings = null;
        _isRedirectBroken = IsCachingGiven = false;
    }

    /// <summary>CLIENT CACHING: applies to the next command or transaction.</summary>
    public void GiveCaching() => IsCachingGiven = true;

    /// <summary>The command whose reads were to be entered has done nothing and comes again: CLIENT CACHING still applies to it.</summary>
    public void OnPutOff() => _keepsCaching = true;

    /// <summary>A request was rejected, which ends the effect of CLIENT CACHING as a command does.</summary>
    public void OnRejected(Command? command)
    {
        if (client.Transactions.Open is null && !IsAboutClients(command))
            IsCachingGiven = false;
    }

    /// <summary>
    /// Enters the keys of a command that reads into the table, before it runs. Any change from here on finds the client there, and its
    /// message is written after the reply of this command, as it comes to the client's thread while the command runs or later. So whatever
    /// state of the key the reply shows, a later one is announced after it. A key that were entered after it was read could have changed
    /// in between, of which the client would never learn.
    /// </summary>
    public void BeforeCommand(ref CommandContext context)
    {
        if (!client.Transactions.IsExecuting)
            FollowCaching(context.Command);
        // Of a script count the keys that its commands read, not those that it declares.
        bool reads = (context.Command.Flags & CommandFlags.ReadOnly) != 0 && context.Command.Descriptor.Group != CommandGroup.Scripting;
        if (_settings is not { } settings || !reads)
            return;
        TrackingModes modes = settings.Modes;
        bool isLeftOut = ((modes & TrackingModes.OptIn) != 0 && !IsCachingGiven) || ((modes & TrackingModes.OptOut) != 0 && IsCachingGiven);
        if (!isLeftOut && (modes & TrackingModes.Broadcast) == 0)
            EnterKeys(ref context);
    }

    // The effect of CLIENT CACHING lasts for one command, or for one transaction from MULTI on. Commands about clients in between do not
    // count, as in Valkey.
    private void FollowCaching(Command command)
    {
        IsCachingGiven &= _keepsCaching;
        _keepsCaching = IsAboutClients(command) || command.Has(CommandTraits.BeginsTransaction);
    }

    private static bool IsAboutClients(Command? command) => command?.Parent?.Descriptor.Name == "CLIENT";

    private void EnterKeys(ref CommandContext context)
    {
        Command command = context.Command;
        if (command.HasOneKey)
        {
            int key = command.SimpleFirstKey;
            table.Enter(client, number, context.Hash(key), context[key]);
            return;
        }

        List<KeyPosition> keys = context.Scratch.Pools.KeyPositions;
        keys.Clear();
        if (KeyExtractor.TryGetKeys(command, in context, 0, keys))
        {
            foreach (KeyPosition key in keys)
                table.Enter(client, number, client.Store.Hash(context[key.Index]), context[key.Index]);
        }

        keys.Clear();
    }

    private sealed record Settings(TrackingModes Modes, long Redirect);
}
