// Restores damaged values of modules' types. Stateless.
using Xunit;

namespace Garnet.Server.Tests.Modules;

/// <summary>Changes a few bytes of a payload of DUMP, and looks at what RESTORE makes of it without a checksum.</summary>
internal static class Damage
{
    /// <summary>Each payload is refused, or makes a key "r" that the check uses.</summary>
    public static void Restore(InProcessServer server, string key, Random random, int rounds, Action check)
    {
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", "1"));
        string reply = server.Call("DUMP", key);
        string payload = reply[(reply.IndexOf('\n', StringComparison.Ordinal) + 1)..^2];
        for (int i = 0; i < rounds; i++)
        {
            char[] damaged = payload.ToCharArray();
            for (int change = random.Next(1, 4); change > 0; change--)
                damaged[random.Next(damaged.Length - 10)] = (char)random.Next(256);
            string restored = server.Call("RESTORE", "r", "0", new string(damaged), "REPLACE");
            Assert.True(restored is "+OK\r\n" or "-ERR Bad data format\r\n", restored);
            check();
        }
    }
}
