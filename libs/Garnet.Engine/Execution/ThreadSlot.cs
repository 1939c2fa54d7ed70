// The memory that a part of the server has on each thread. Declared once by the part; used by the threads themselves.
using System.Runtime.CompilerServices;
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>
/// A typed place in every <see cref="ThreadScratch"/>, so that threads need not know who keeps what there. A static field of the type that
/// is kept.
/// </summary>
/// <param name="make">Makes the part's memory when a thread needs it first.</param>
internal sealed class ThreadSlot<T>(Func<ThreadScratch, T> make)
    where T : class
{
    private readonly int _index = ThreadSlots.Next();

    /// <summary>The part's memory on a thread.</summary>
    public T Of(ThreadScratch thread) => thread.Slots[_index] is { } part ? Unsafe.As<T>(part) : Make(thread);

    /// <summary>As <see cref="Of"/>; null when that thread has not needed it yet. Any thread.</summary>
    public T? Peek(ThreadScratch thread) => Unsafe.As<T?>(Volatile.Read(ref thread.Slots[_index]));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private T Make(ThreadScratch thread)
    {
        T part = make(thread);
        Volatile.Write(ref thread.Slots[_index], part);
        return part;
    }
}
