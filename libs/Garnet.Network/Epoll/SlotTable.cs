// Finds the object of an epoll event: slot number and generation, so that an event of a closed descriptor never reaches its successor. One
// thread.
namespace Garnet.Network.Epoll;

internal sealed class SlotTable
{
    private IEpollTarget?[] _targets = new IEpollTarget?[64];
    private uint[] _generations = new uint[64];
    private int[] _free = new int[64];
    private int _freeCount;
    private int _used;

    /// <summary>Allocates a slot; the result is used as the event's data.</summary>
    internal ulong Add(IEpollTarget target)
    {
        int slot = _freeCount > 0 ? _free[--_freeCount] : Grow();
        _targets[slot] = target;
        return ((ulong)_generations[slot] << 32) | (uint)slot;
    }

    internal void Remove(ulong data)
    {
        int slot = (int)(uint)data;
        _targets[slot] = null;
        _generations[slot]++;
        if (_freeCount == _free.Length)
            Array.Resize(ref _free, _free.Length * 2);
        _free[_freeCount++] = slot;
    }

    internal IEpollTarget? Find(ulong data)
    {
        uint slot = (uint)data;
        return slot < (uint)_targets.Length && _generations[slot] == (uint)(data >> 32) ? _targets[slot] : null;
    }

    internal ReadOnlySpan<IEpollTarget?> Targets => _targets.AsSpan(0, _used);

    private int Grow()
    {
        if (_used == _targets.Length)
        {
            Array.Resize(ref _targets, _used * 2);
            Array.Resize(ref _generations, _used * 2);
        }
        return _used++;
    }
}
