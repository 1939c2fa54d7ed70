// struct iovec of the C library.
using System.Runtime.InteropServices;

namespace Garnet.Network.Epoll;

[StructLayout(LayoutKind.Sequential)]
internal unsafe struct IoVector
{
    internal byte* Base;
    internal nuint Length;
}
