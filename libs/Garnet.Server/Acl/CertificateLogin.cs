// Logs clients in by their certificates. Stateless.
using System.Text;
using Garnet.Server.Sessions;

namespace Garnet.Server.Acl;

/// <summary>
/// Uses the first name in a client's certificate that belongs to a user who may log in; without one the client is not logged in.
/// </summary>
internal static class CertificateLogin
{
    public static void Try(ClientSession client)
    {
        IReadOnlyList<string> names = client.Connection.CertificateUsers;
        foreach (string name in names)
        {
            if (client.Server.Users.FindText(name) is not { Rules.IsOn: true } user)
                continue;
            client.Login.Begin(user);
            return;
        }

        if (names.Count == 0)
            return;
        client.Server.Statistics.CountDenial(Denial.Certificate);
        client.Server.Users.Denials.Add(client, Denial.Certificate, [], Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(names[0])));
    }
}
