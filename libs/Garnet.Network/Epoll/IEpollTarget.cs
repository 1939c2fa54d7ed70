// Handles events of a descriptor on an epoll thread.
namespace Garnet.Network.Epoll;

internal interface IEpollTarget
{
    /// <summary>Called on the thread, at the top of its loop, with the kernel's event bits.</summary>
    void OnEvents(uint events);
}
