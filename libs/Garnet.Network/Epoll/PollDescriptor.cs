// The kernel's struct pollfd.
using System.Runtime.InteropServices;

namespace Garnet.Network.Epoll;

[StructLayout(LayoutKind.Sequential)]
internal struct PollDescriptor
{
    public int Descriptor;
    public short Events;
    public short Returned;
}
