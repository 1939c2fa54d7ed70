// Converts the kernel's struct sockaddr to end points. Stateless.
using System.Buffers.Binary;
using System.Net;
using System.Runtime.CompilerServices;

namespace Garnet.Network.Epoll;

internal static unsafe class SocketAddresses
{
    internal const int Largest = 128; // sockaddr_storage

    private const ushort Inet = 2; // AF_INET
    private const ushort Inet6 = 10; // AF_INET6

    /// <summary>An IP end point, or null for any other family.</summary>
    internal static IPEndPoint? Parse(byte* address)
    {
        ushort port = BinaryPrimitives.ReadUInt16BigEndian(new ReadOnlySpan<byte>(address + 2, 2));
        switch (Unsafe.ReadUnaligned<ushort>(address))
        {
            case Inet:
                return new IPEndPoint(new IPAddress(new ReadOnlySpan<byte>(address + 4, 4)), port);
            case Inet6:
                uint scope = Unsafe.ReadUnaligned<uint>(address + 24);
                var ip = new IPAddress(new ReadOnlySpan<byte>(address + 8, 16), scope);
                return new IPEndPoint(ip.IsIPv4MappedToIPv6 ? ip.MapToIPv4() : ip, port);
            default:
                return null;
        }
    }

    /// <summary>The local address that the peer connected to, or null when the descriptor is closed.</summary>
    internal static IPEndPoint? LocalOf(int descriptor)
    {
        byte* address = stackalloc byte[Largest];
        uint length = Largest;
        return descriptor >= 0 && LinuxCalls.GetLocalName(descriptor, address, &length) == 0 ? Parse(address) : null;
    }
}
