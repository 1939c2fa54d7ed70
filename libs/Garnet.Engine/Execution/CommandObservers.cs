// The observers of a server. Immutable.
using System.Numerics;
using System.Runtime.CompilerServices;
using Garnet.Engine.Rules;
using Garnet.Store;

namespace Garnet.Engine.Execution;

/// <summary>Tells those who are on.</summary>
internal sealed class CommandObservers
{
    private static readonly int TrackingIndex = BitOperations.Log2((uint)ObserverMask.Tracking);

    private readonly Conditions _conditions;
    private readonly CommandObserver?[] _byBit = new CommandObserver?[32];

    /// <summary>The observers of a server.</summary>
    /// <param name="conditions">Who is on.</param>
    /// <param name="all">All of them.</param>
    public CommandObservers(Conditions conditions, IEnumerable<CommandObserver> all)
    {
        _conditions = conditions;
        foreach (CommandObserver observer in all)
            _byBit[BitOperations.Log2((uint)observer.Bit)] = observer;
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

    /// <summary>A batch begins; see <see cref="CommandObserver.Enter"/>. Tracking alone gathers something over a whole batch.</summary>
    public ClientSession? Enter(ThreadScratch thread, ClientSession client) => _byBit[TrackingIndex]?.Enter(thread, client);

    /// <summary>A batch is over that gathered something.</summary>
    public void Leave(ThreadScratch thread, ClientSession? outer) => _byBit[TrackingIndex]!.Leave(thread, outer);

    /// <summary>A request is refused.</summary>
    public void Refused(ref CommandContext context, Command? command, ObserverMask told)
    {
        for (uint left = (uint)told; left != 0; left &= left - 1)
            _byBit[BitOperations.TrailingZeroCount(left)]!.Refused(ref context, command);
    }

    /// <summary>A command comes again.</summary>
    public void PutOff(ref CommandContext context, ObserverMask told)
    {
        for (uint left = (uint)told; left != 0; left &= left - 1)
            _byBit[BitOperations.TrailingZeroCount(left)]!.PutOff(ref context);
    }

    /// <summary>A blocked command was executed again; also told to those who were turned off meanwhile.</summary>
    public void Resumed(ref CommandContext context, bool isSearch)
    {
        foreach (CommandObserver? observer in _byBit)
            observer?.Resumed(ref context, isSearch);
    }

    /// <summary>An EXEC was refused.</summary>
    public void Aborted(ref CommandContext context, ObserverMask told)
    {
        for (uint left = (uint)told; left != 0; left &= left - 1)
            _byBit[BitOperations.TrailingZeroCount(left)]!.Aborted(ref context);
    }

    /// <summary>The keys of a command are released.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Released(ref CommandContext context, ObserverMask told)
    {
        for (uint left = (uint)told; left != 0; left &= left - 1)
            _byBit[BitOperations.TrailingZeroCount(left)]!.Released(ref context);
    }
}
