// The observers of a server. Immutable.
using System.Numerics;
using System.Runtime.CompilerServices;
using Garnet.Server.Blocking;
using Garnet.Server.CommandModel;
using Garnet.Server.Notifications;
using Garnet.Server.Sessions;
using Garnet.Server.Tracking;
using Garnet.Store;

namespace Garnet.Server.Execution;

/// <summary>Tells those who are on.</summary>
internal sealed class CommandObservers
{
    private readonly Conditions _conditions;
    private readonly CommandObserver?[] _byBit = new CommandObserver?[32];

    /// <summary>The observers of a server.</summary>
    public CommandObservers(RespServer server)
    {
        _conditions = server.Store.Conditions;
        Add(new TrackingObserver());
        Add(new EventObserver());
        Add(new MonitorObserver(server.Monitors));
        Add(new BlockedObserver(server.Blocked));
    }

    /// <summary>Those who are on.</summary>
    public ObserverMask Present
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (ObserverMask)_conditions.Raised & ObserverMask.All;
    }

    /// <summary>A command is about to run.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Before(ref CommandContext context, ObserverMask told)
    {
        for (uint left = (uint)told; left != 0; left &= left - 1)
            _byBit[BitOperations.TrailingZeroCount(left)]!.Before(ref context);
    }

    /// <summary>A command has run.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void After(ref CommandContext context, ObserverMask told)
    {
        for (uint left = (uint)told; left != 0; left &= left - 1)
            _byBit[BitOperations.TrailingZeroCount(left)]!.After(ref context);
    }

    /// <summary>The keys of a command are released.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Released(ref CommandContext context, ObserverMask told)
    {
        for (uint left = (uint)told; left != 0; left &= left - 1)
            _byBit[BitOperations.TrailingZeroCount(left)]!.Released(ref context);
    }

    private void Add(CommandObserver observer) => _byBit[BitOperations.Log2((uint)observer.Bit)] = observer;
}
