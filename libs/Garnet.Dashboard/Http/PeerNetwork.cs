// Whose address it is: one machine may have many. Stateless; any thread.
using System.Net;
using System.Net.Sockets;

namespace Garnet.Dashboard.Http;

/// <summary>The networks that peers are counted by.</summary>
internal static class PeerNetwork
{
    private const int MachineBytesV6 = 8;
    private const int SiteBytesV6 = 6;
    private const int SiteBytesV4 = 2;

    /// <summary>What a machine has to itself: an address of IPv4, and 64 bits of addresses of IPv6.</summary>
    public static IPAddress OfMachine(IPAddress address)
    {
        IPAddress plain = Plain(address);
        return plain.AddressFamily == AddressFamily.InterNetworkV6 ? Prefix(plain, MachineBytesV6) : plain;
    }

    /// <summary>What one party may have many machines' of: the first 48 bits of an address of IPv6, the first 16 of one of IPv4.</summary>
    public static IPAddress OfSite(IPAddress address)
    {
        IPAddress plain = Plain(address);
        return Prefix(plain, plain.AddressFamily == AddressFamily.InterNetworkV6 ? SiteBytesV6 : SiteBytesV4);
    }

    private static IPAddress Plain(IPAddress address) => address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;

    private static IPAddress Prefix(IPAddress address, int length)
    {
        byte[] bytes = address.GetAddressBytes();
        bytes.AsSpan(length).Clear();
        return new IPAddress(bytes);
    }
}
