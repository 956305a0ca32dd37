// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Compiled into test-tokens.json: solc 0.8.30, optimizer with 200 runs, EVM version paris.

// Returns true, as the standard says.
contract TestUSD {
  string public constant symbol = "USDC";
  uint8 public constant decimals = 6;
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);

  constructor() {
    balanceOf[msg.sender] = 1e24;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }
}

// Returns nothing, as USDT does.
contract TestTether {
  uint8 public constant decimals = 6;
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);

  constructor() {
    balanceOf[msg.sender] = 1e24;
  }

  function transfer(address to, uint256 value) external {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
  }
}

// Moves, and says that it did not.
contract TestFalse {
  uint8 public constant decimals = 6;
  mapping(address => uint256) public balanceOf;

  constructor() {
    balanceOf[msg.sender] = 1e24;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    return false;
  }
}

// Answers true, and a megabyte more.
contract TestBomb {
  function balanceOf(address) external pure returns (uint256) {
    assembly {
      mstore(0, 7)
      return(0, 1000000)
    }
  }

  function transfer(address, uint256) external pure returns (bool) {
    assembly {
      mstore(0, 1)
      return(0, 1000000)
    }
  }
}

// A balance, and an answer of 31 bytes, which is no word.
contract TestShort {
  function balanceOf(address) external pure returns (uint256) {
    return 7;
  }

  function transfer(address, uint256) external pure returns (bool) {
    assembly {
      mstore(0, not(0))
      return(0, 31)
    }
  }
}

// Pays as contracts do: with the 2300 gas of transfer, with all gas, or to two at once.
contract TestPayer {
  function stipend(address payable to) external payable {
    to.transfer(msg.value);
  }

  function pay(address payable to) external payable {
    (bool ok, ) = to.call{value: msg.value}("");
    require(ok);
  }

  function fail(address payable to) external payable {
    (bool ok, ) = to.call{value: msg.value}("");
    require(!ok);
  }
}

// A payout wallet that is a contract: writes storage when paid, and asks its payer for more.
contract TestVault {
  uint256 public times;

  receive() external payable {
    times += 1;
    if (times % 2 == 1) {
      (bool ok, ) = msg.sender.call(abi.encode(uint256(0)));
      require(ok);
    }
  }
}

// A payout wallet that takes no coins.
contract TestRefuser {}
