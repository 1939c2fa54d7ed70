// The sample application, driven by HTTP and looked into by RESP, as its README says.
using System.Net;
using Garnet.Testing;
using Xunit;

namespace Garnet.Caching.Tests.Samples;

public sealed class SampleShopTests
{
    [Fact]
    public async Task The_sample_does_what_its_readme_says()
    {
        (SampleShop shop, Uri address) = await SampleShop.StartAsync();
        using (shop)
        using (
            HttpClient http = new(new HttpClientHandler { CookieContainer = new CookieContainer() })
            {
                BaseAddress = address,
                Timeout = TimeSpan.FromSeconds(30),
            }
        )
        using (var resp = RespExchange.Connect(shop.EndPoint))
        {
            Assert.Equal("1", await http.GetStringAsync("/visits"));
            Assert.Equal("2", await http.GetStringAsync("/visits"));
            Assert.Equal("$1\r\n2\r\n", resp.ExecuteText("GET", "visits"));

            foreach (string number in (string[])["1", "2"])
            {
                using HttpResponseMessage ordered = await http.PostAsync("/order/tea", null);
                Assert.Equal(number, await ordered.Content.ReadAsStringAsync());
            }

            Assert.Equal("$1\r\n2\r\n", resp.ExecuteText("HGET", "sold", "tea"));

            string price = await http.GetStringAsync("/price/tea");
            Assert.Equal("301", price);
            Assert.Equal(price, await http.GetStringAsync("/price/tea"));
            Assert.Equal("602", await http.GetStringAsync("/price/coffee"));
            Assert.Equal("$3\r\n301\r\n", resp.ExecuteText("GET", "shop:tea"));
            string left = resp.ExecuteText("PTTL", "shop:tea")!;
            Assert.InRange(int.Parse(left.Trim(':', '\r', '\n')), 1, 300_000);

            Assert.Equal("catalogue 1", await http.GetStringAsync("/catalogue"));
            Assert.Equal("catalogue 1", await http.GetStringAsync("/catalogue"));
            using (HttpResponseMessage evicted = await http.PostAsync("/catalogue", null))
                Assert.Equal(HttpStatusCode.NoContent, evicted.StatusCode);
            Assert.Equal("catalogue 2", await http.GetStringAsync("/catalogue"));

            Assert.Equal("", await http.GetStringAsync("/basket"));
            foreach (string article in (string[])["tea", "cup"])
            {
                using HttpResponseMessage added = await http.PostAsync("/basket/" + article, null);
                Assert.Equal(HttpStatusCode.OK, added.StatusCode);
            }

            Assert.Equal("tea,cup", await http.GetStringAsync("/basket"));
            using HttpClient other = new() { BaseAddress = address };
            Assert.Equal("", await other.GetStringAsync("/basket"));
        }
    }
}
