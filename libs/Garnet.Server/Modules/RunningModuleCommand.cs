// The module's command that one thread runs. Written by that thread; read by the watchdog.
using System.Runtime.CompilerServices;
using Garnet.Engine.Execution;

namespace Garnet.Server.Modules;

/// <summary>
/// Two stores of a number for each call, no reference and no clock: the watchdog looks several times per second whether the call is still
/// the same one.
/// </summary>
internal sealed class RunningModuleCommand
{
    /// <summary>That of a thread.</summary>
    public static readonly ThreadSlot<RunningModuleCommand> OfThread = new(static _ => new RunningModuleCommand());

    private const int IdBits = 16;
    private const long IdMask = (1 << IdBits) - 1;

    // No command has such an ID: they stand for filters.
    private const int FirstFilterId = 1 << (IdBits - 1);
    private const int MaxFilters = FirstFilterId - 1;

    private long _state; // number of the current or last call above the command's ID plus 1, which is 0 when none runs
    private long _overrun = -1;

    /// <summary>The number of the current or last call, and the ID of the command that runs; -1 for none.</summary>
    public (long Call, int CommandId) Current
    {
        get
        {
            long state = Volatile.Read(ref _state);
            return (state >> IdBits, (int)(state & IdMask) - 1);
        }
    }

    /// <summary>Whether the current call has taken longer than busy-reply-threshold. The thread that runs it.</summary>
    public bool IsOverrun => Volatile.Read(ref _overrun) == _state >> IdBits;

    /// <summary>The call and the time at which the watchdog saw it first.</summary>
    public (long Call, long SinceMs) Seen { get; set; } = (-1, 0);

    /// <summary>Begins a call. Returns what <see cref="End"/> needs; a call within another one belongs to it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Begin(Command command) => Begin(command.Id);

    /// <summary>As <see cref="Begin(Command)"/> for a command filter, of which there may be many.</summary>
    public bool BeginFilter(int index) => Begin(FirstFilterId + (index % MaxFilters));

    /// <summary>The index of the filter that an ID of <see cref="Current"/> stands for; -1 for a command's.</summary>
    public static int FilterOf(int id) => id < FirstFilterId ? -1 : id - FirstFilterId;

    /// <summary>Ends it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void End(bool isOuter)
    {
        if (isOuter)
            Volatile.Write(ref _state, _state & ~IdMask);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool Begin(int id)
    {
        long state = _state;
        bool isOuter = (state & IdMask) == 0;
        if (isOuter)
            Volatile.Write(ref _state, ((state | IdMask) + 1) | (uint)(id + 1));
        return isOuter;
    }

    /// <summary>Notes that a call takes too long. The watchdog.</summary>
    public void OnOverrun(long call) => Volatile.Write(ref _overrun, call);
}
