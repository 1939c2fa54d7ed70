// One command of a module that calls other commands. Used by its thread.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Store;

namespace Garnet.Server.Modules;

/// <summary>
/// The commands that it calls run as one with it. Their effects come first; those that the module adds follow, whatever the order of the
/// calls. If neither has any, the module's own command is the effect.
/// </summary>
internal sealed class ModuleScope(int depth) : CommandScope
{
    private readonly List<KeyReference> _keys = [];
    private EffectBuffer? _added;
    private ModuleScope? _outer;
    private LoadedModule? _owner;
    private FilteredRequest? _filtered;
    private int _database;
    private int _bytesBefore;
    private int _countBefore;

    /// <summary>0 for a command of a client, 1 for one that it calls, and so on.</summary>
    public int Depth { get; } = depth;

    /// <summary>The command of the module that calls.</summary>
    public Command Caller { get; set; } = null!;

    /// <summary>Its module.</summary>
    public LoadedModule Owner => _owner!;

    /// <summary>How it calls.</summary>
    public ModuleCallFlags CallFlags { get; set; }

    /// <inheritdoc/>
    public override Origin Origin => Origin.ModuleCall;

    /// <summary>The request that the module makes.</summary>
    public ScopedRequest Request { get; } = new();

    /// <summary>Effects that the module has added itself.</summary>
    public EffectBuffer Added => _added ??= new EffectBuffer();

    /// <summary>Whether the command may call others whose keys are not among its own.</summary>
    public bool IsAlone => Client.Store.Barrier.IsExclusive;

    /// <summary>Whether a called command may access a key of the selected database.</summary>
    public bool MayAccess(ulong hash) => IsAlone || _keys.Contains(new KeyReference(Client.Store.Database, hash));

    /// <summary>The request on its way through filters.</summary>
    public FilteredRequest Filtered => _filtered ??= new FilteredRequest(Request);

    /// <summary>Whether the command, or one that has led to its call, is of a module.</summary>
    public bool IsOf(LoadedModule module) => _owner == module || _outer?.IsOf(module) == true;

    /// <summary>Whether what a client calls now follows from a call of a module's.</summary>
    public static bool IsCalledBy(ClientSession client, LoadedModule module) =>
        client.Transactions.Caller == module || (client.Transactions.Module as ModuleScope)?.IsOf(module) == true;

    /// <summary>Begins the command.</summary>
    /// <param name="owner">Its module.</param>
    /// <param name="keys">The keys that it has latched.</param>
    public void Begin(LoadedModule owner, ReadOnlySpan<KeyReference> keys)
    {
        _owner = owner;
        _keys.Clear();
        _keys.AddRange(keys);
        ref ClientTransactions transactions = ref Client.Transactions;
        _outer = transactions.Module as ModuleScope;
        _database = Client.Store.Database;
        Effects = new EffectScope(_database);
        HasWritten = false;
        Propagates = true;
        (_bytesBefore, _countBefore) = Client.Propagation.HasEffects
            ? (Client.Propagation.Effects.Bytes, Client.Propagation.Effects.Count)
            : default;
        transactions.Module = this;
    }

    /// <summary>Ends it: joins the effects. Returns whether there are any.</summary>
    public bool End()
    {
        Client.Transactions.Module = _outer;
        _outer = null;
        _owner = null;
        Client.Store.Database = _database;
        if (_added is { Count: > 0 } added)
        {
            Effects.Follow(Client);
            Client.Propagation.Effects.Append(added);
            added.Clear();
        }

        bool hasEffects = Client.Propagation.HasEffects && Effects.HasEffects(Client, _countBefore);
        if (hasEffects)
            HandOn(_database);
        else if (Client.Propagation.HasEffects)
            Client.Propagation.Effects.Truncate(_bytesBefore, _countBefore);
        return hasEffects;
    }
}
